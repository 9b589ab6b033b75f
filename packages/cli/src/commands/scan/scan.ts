import { Command } from 'commander';
import { apiCommand, collect } from '../../api/api-command.ts';
import { withWaitOptions } from '../../api/wait-options.ts';
import { listCommand } from './list.ts';
import { refuseWithoutScheme } from './refuse-without-scheme.ts';
import type { RemoteScanOptions } from './remote-scan.ts';
import type { ReplayOptions, ScanOptions } from './run-scan.ts';
import { viewCommand } from './view.ts';

const EXIT_CODES = `
Exit codes:
  0    scanned, whatever was found, unless --fail-on or --min-score say otherwise
  1    scanned, and judged as failed by --fail-on or --min-score
  2    the call is wrong, or a file cannot be read or written
  3    the site could not be judged: nobody answers, or it turned the scan away
  4    no API key, or one that is not valid
  5    refused: the URL leads to an address that may not be contacted, or the service does not allow the scan
  6    undecided: the wait is used up
  7    undecided: the scan has a status that this version does not know
  8    the service failed or could not be reached
  130  interrupted`;

/** Loads only what --help needs: the action loads the engine and the client. */
export function scanCommand(): Command {
  const scan = apiCommand('scan', 'scan a site passively, by the service or with --local from this machine')
    .enablePositionalOptions()
    .argument('<url>', 'http or https URL; a bare domain means https://<domain>/')
    .option('--fail-on <severity>', 'exit code 1 when there is a finding of this severity or a worse one')
    .option(
      '--min-confidence <word>',
      'least confidence that counts for it: confirmed, firm or tentative (default: firm)',
    )
    .option('--min-score <number>', 'exit code 1 when the score is lower')
    .option('--idempotency-key <key>', 'scan once for this key (default: a new one)');
  withWaitOptions(scan, '15m', '2s')
    .option('--local', 'scan in this process, without a service: 120 requests and a minute at most')
    .option('--save <file>', 'with --local: keep what was gathered, to judge it again with "scan replay"')
    .option(
      '--allow-address <range>',
      'with --local: contact this although it is not public: CIDR or CIDR:port, such as 127.0.0.1/32:8080 (repeatable)',
      collect,
    );
  withVerbose(scan)
    .addHelpText('after', EXIT_CODES)
    .action(async (url: string, options: ScanOptions & RemoteScanOptions) => {
      refuseWithoutScheme(url);
      await (options.local
        ? (await import('./run-scan.ts')).runScan(url, options)
        : (await import('./remote-scan.ts')).runRemoteScan(url, options));
    });
  const replay = new Command('replay')
    .description('judge again what "scan --save" has kept, without any network')
    .argument('<file>', 'the kept file')
    .configureHelp({ showGlobalOptions: false });
  withOutput(replay).action(async (file: string, _options: ReplayOptions, command: Command) =>
    (await import('./run-scan.ts')).runReplay(file, command.optsWithGlobals()),
  );
  return scan.addCommand(listCommand()).addCommand(viewCommand()).addCommand(replay);
}

const withVerbose = (command: Command) =>
  command.option('-v, --verbose', 'add to each finding why it matters, what was seen, and where to read on');

const withOutput = (command: Command) =>
  withVerbose(command).option('--json', 'print one JSON document on stdout: the Scan of the API and its findings');
