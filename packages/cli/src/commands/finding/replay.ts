import type { Command } from 'commander';
import { apiCommand, collect, withShell } from '../../api/api-command.ts';
import type { ReplayOptions } from '../../pentest/replay-finding.ts';

const EXIT_CODES = `
Exit codes:
  0    gone: neither the proof nor other payloads show the flaw
  1    still there
  2    invalid arguments, or a file cannot be read
  4    API key missing or invalid
  5    refused: no permission to read the finding or the target
  6    void: nothing was proved either way, other places were not replayed, or nothing was sent
  8    service error, or service unreachable
  130  interrupted`;

export const replayCommand = (): Command =>
  apiCommand('replay', 'repeat the proof of a finding from this machine, to see whether it is fixed')
    .argument('<run-or-file>', 'id of the run, or a file with the capsule of a finding')
    .argument('[finding]', 'id of the finding, as "pentest findings" prints it')
    .option('--credentials <file>', 'test accounts that the proof uses, as YAML or JSON, - for stdin')
    .option(
      '--allow-address <range>',
      'allow this non-public address, as CIDR or CIDR:port, such as 127.0.0.1/32:8080 (repeatable)',
      collect,
    )
    .addHelpText('after', EXIT_CODES)
    .action((source: string, id: string | undefined, options: ReplayOptions) =>
      withShell(options, 'The finding could not be replayed', async (shell) => {
        const { replayFinding } = await import('../../pentest/replay-finding.ts');
        await replayFinding(shell, { source, id }, options);
      }),
    );
