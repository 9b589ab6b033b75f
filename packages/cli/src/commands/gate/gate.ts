import type { Command } from 'commander';
import { apiCommand } from '../../api/api-command.ts';
import { withWaitOptions } from '../../api/wait-options.ts';
import { withAcceptUntested } from '../../pentest/accepted-groups.ts';
import { withStartOptions } from '../../pentest/start-options.ts';
import type { GateOptions } from './run-gate.ts';

const EXIT_CODES = `
Exit codes:
  0    passed: the run is completed, its report is released, and no finding violates the policy
  1    failed: findings violate the policy
  2    invalid arguments or request
  3    the run ended FAILED or CANCELLED: no verdict
  4    API key missing or invalid
  5    refused: permission, target, credits, limit, unknown run, or too many concurrent runs
  6    undecided: --max-wait is over; run the same command again
  7    undecided: run status unknown to this version; upgrade
  8    service error, or service unreachable
  9    undecided: applicable checks could not run (accept with --accept-untested GROUP)
  130  interrupted (143 if terminated); the run continues`;

export function gateCommand(): Command {
  const gate = apiCommand('gate', 'wait for a pentest and judge it by a policy; only exit code 0 is a pass')
    .argument('[id]', 'run id (default: SORTIE_RUN_ID, else the last run started in this folder)')
    .option('--start', 'start a run first');
  const judging = withWaitOptions(withStartOptions(gate), '60m', '20s')
    .option('--wait-slot', 'with --start: wait while the account is at its limit of concurrent pentests')
    .option('--fail-on <severity>', 'lowest severity that fails: critical, high, medium, low or info (default: high)')
    .option('--min-confidence <word>', 'lowest confidence that fails: confirmed, firm or tentative (default: firm)')
    .option('--max-findings <number>', 'number of such findings to tolerate (default: 0)')
    .option('--new-only', 'fail only on findings that earlier runs on the target do not have, and on regressions')
    .option('--baseline-run <id>', 'completed run whose findings are ignored')
    .option('--baseline <file>', 'earlier JSON report whose findings are ignored')
    .option('--allow <file>', 'YAML list of accepted findings: fingerprint or id, until, reason');
  return withAcceptUntested(judging, 'pass even if checks of this group could not run')
    .option('--fail-fast', 'fail as soon as findings violate the policy, before the run ends')
    .addHelpText('after', EXIT_CODES)
    .action(async (id: string | undefined, options: GateOptions, command: Command) =>
      (await import('./run-gate.ts')).runGate(id, options, command),
    );
}
