import type { ScanFinding } from '@sortie/sdk';
import type { Command } from 'commander';
import { apiCommand, withShell } from '../../api/api-command.ts';
import type { ApiOptions } from '../../api/command-context.ts';
import { openScreen } from '../../api/open-screen.ts';
import { shown } from '../../terminal/text.ts';
import { failedScanText, resultOfScan, scanHead } from './service-scan-text.ts';

interface ViewOptions extends ApiOptions {
  verbose?: boolean;
  web?: boolean;
}

export const viewCommand = (): Command =>
  apiCommand('view', 'show a scan of the service and its findings')
    .argument('<id>', 'id of the scan')
    .option('-v, --verbose', 'add description, evidence and references to each finding')
    .option('--web', 'print the address of the scan in the dashboard, and open it')
    .action((id: string, _options: ViewOptions, command: Command) => {
      const options = command.optsWithGlobals<ViewOptions>();
      return withShell(options, `Scan ${shown(id)} could not be read`, async (shell) => {
        const client = await shell.client();
        const { data: scan } = await client.scans.get(id);
        if (options.web) return openScreen(shell, `scans/${scan.id}`);
        const findings: ScanFinding[] = [];
        for await (const finding of client.scans.findingsAll(id)) findings.push(finding);
        shell.print({ schema: 'sortie.scan-view/1', ...scan, findings }, () => {
          if (scan.failure) return failedScanText(scan);
          const head = scanHead(scan);
          if (scan.score === null) return `${head}The scan is still in progress.\n`;
          return head + resultOfScan(shell, scan, { findings, isVerbose: options.verbose ?? false });
        });
      });
    });
