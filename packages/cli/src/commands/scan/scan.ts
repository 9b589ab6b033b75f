import { Command } from 'commander';
import type { ReplayOptions, ScanOptions } from './run-scan.ts';

const EXIT_CODES = `
Exit codes:
  0    scanned, whatever was found
  2    the call is wrong, or a file cannot be read or written
  3    the site could not be judged: nobody answers, or it turned the scan away
  5    refused: the URL leads to an address that may not be contacted
  130  interrupted`;

const collect = (value: string, before: string[] = []) => [...before, value];

/** Only what help needs: the engine is loaded by the action. */
export function scanCommand(): Command {
  const scan = new Command('scan')
    .description('scan a site from this machine, without a server: passively, 120 requests and a minute at most')
    .enablePositionalOptions()
    .argument('<url>', 'http or https URL; a bare domain means https://<domain>/')
    .option('--local', 'scan in this process (required: it is the only way as yet)')
    .option('--save <file>', 'keep what was gathered, to judge it again with "scan replay"')
    .option(
      '--allow-address <range>',
      'contact this although it is not public: CIDR or CIDR:port, such as 127.0.0.1/32:8080 (repeatable)',
      collect,
    );
  withOutput(scan)
    .addHelpText('after', EXIT_CODES)
    .action(async (url: string, options: ScanOptions) => (await import('./run-scan.ts')).runScan(url, options));
  const replay = new Command('replay')
    .description('judge again what "scan --save" has kept, without any network')
    .argument('<file>', 'the kept file')
    .configureHelp({ showGlobalOptions: false });
  withOutput(replay).action(async (file: string, _options: ReplayOptions, command: Command) =>
    (await import('./run-scan.ts')).runReplay(file, command.optsWithGlobals()),
  );
  return scan.addCommand(replay);
}

const withOutput = (command: Command) =>
  command
    .option('-v, --verbose', 'add to each finding why it matters, what was seen, and where to read on')
    .option('--json', 'print one JSON document on stdout: the Scan of the API and its findings');
