import type { Command } from 'commander';
import { apiCommand } from '../../api/api-command.ts';
import { withWaitOptions } from '../../api/wait-options.ts';
import { withAcceptUntested } from '../../pentest/accepted-groups.ts';
import { withStartOptions } from '../../pentest/start-options.ts';
import type { GateOptions } from './run-gate.ts';

const EXIT_CODES = `
Exit codes:
  0    passed: the run is completed, its report is released, and nothing in it is over the policy
  1    failed: findings over the policy
  2    the call is wrong, or the service refuses it as invalid
  3    the run ended FAILED or CANCELLED: it was not judged
  4    no API key, or one that is not valid
  5    refused: permission, target, credits, limits, no such run, or too many runs at once
  6    undecided: the wait is used up; run the same gate again
  7    undecided: the run has a status that this version does not know
  8    the service failed or could not be reached
  9    undecided: checks that apply to the target could not run (accept with --accept-untested GROUP)
  130  interrupted (143 when terminated); the run goes on`;

export function gateCommand(): Command {
  const gate = apiCommand('gate', 'wait for a pentest and judge it: exit code 0 means passed, everything else does not')
    .argument('[id]', 'id of the run (default: SORTIE_RUN_ID, else the last run of this folder)')
    .option('--start', 'start the run first');
  const judging = withWaitOptions(withStartOptions(gate), '60m', '20s')
    .option('--wait-slot', 'with --start: wait while as many pentests run as the account allows')
    .option('--fail-on <severity>', 'mildest severity that counts: critical, high, medium, low or info (default: high)')
    .option('--min-confidence <word>', 'least confidence that counts: confirmed, firm or tentative (default: firm)')
    .option('--max-findings <number>', 'how many findings that count are let through (default: 0)')
    .option('--baseline <file>', 'an earlier JSON report: what is in it does not count')
    .option('--allow <file>', 'accepted findings as YAML: fingerprint or id, until, reason');
  return withAcceptUntested(judging, 'pass although the checks of this group could not run')
    .option('--fail-fast', 'fail as soon as the findings so far are over the policy')
    .addHelpText('after', EXIT_CODES)
    .action(async (id: string | undefined, options: GateOptions, command: Command) =>
      (await import('./run-gate.ts')).runGate(id, options, command),
    );
}
