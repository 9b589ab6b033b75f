import { Command } from 'commander';
import { apiCommand, collect } from '../../api/api-command.ts';
import { withWaitOptions } from '../../api/wait-options.ts';
import { listCommand } from './list.ts';
import { refuseWithoutScheme } from './refuse-without-scheme.ts';
import type { RemoteScanOptions } from './remote-scan.ts';
import type { ScanOptions, ScanReplayOptions } from './run-scan.ts';
import { viewCommand } from './view.ts';

const EXIT_CODES = `
Exit codes:
  0    scanned; with --fail-on or --min-score: passed
  1    failed by --fail-on or --min-score
  2    invalid arguments, or a file cannot be read or written
  3    no result: the site does not respond, or blocks the scan
  4    API key missing or invalid
  5    refused: the URL resolves to a blocked address, or the service does not permit the scan
  6    undecided: --max-wait is over
  7    undecided: scan status unknown to this version; upgrade
  8    service error, or service unreachable
  130  interrupted`;

/** Loads only what --help needs: the action loads the engine and the client. */
export function scanCommand(): Command {
  const scan = apiCommand('scan', 'run a passive scan, on the service or with --local from this machine')
    .enablePositionalOptions()
    .argument('<url>', 'http or https URL; a bare domain means https://<domain>/')
    .option('--fail-on <severity>', 'exit with 1 on findings of this severity or higher')
    .option('--min-confidence <word>', 'lowest confidence that fails: confirmed, firm or tentative (default: firm)')
    .option('--min-score <number>', 'exit with 1 if the score is lower')
    .option('--idempotency-key <key>', 'start at most one scan per key (default: a new key)');
  withWaitOptions(scan, '15m', '2s')
    .option('--local', 'scan from this process, without a service: at most 120 requests and one minute')
    .option('--save <file>', 'with --local: save the recorded responses for "scan replay"')
    .option(
      '--allow-address <range>',
      'with --local: allow this non-public address, as CIDR or CIDR:port, such as 127.0.0.1/32:8080 (repeatable)',
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
    .description('run the checks on a file saved by "scan --save", without network')
    .argument('<file>', 'file written by "scan --save"')
    .configureHelp({ showGlobalOptions: false });
  withOutput(replay).action(async (file: string, _options: ScanReplayOptions, command: Command) =>
    (await import('./run-scan.ts')).runReplay(file, command.optsWithGlobals()),
  );
  return scan.addCommand(listCommand()).addCommand(viewCommand()).addCommand(replay);
}

const withVerbose = (command: Command) =>
  command.option('-v, --verbose', 'add description, evidence and references to each finding');

const withOutput = (command: Command) =>
  withVerbose(command).option('--json', 'print one JSON document on stdout: the API object Scan and its findings');
