import type { Client } from '@sortie/sdk';
import type { Command } from 'commander';
import { apiCommand, withShell } from '../../api/api-command.ts';
import type { ApiOptions } from '../../api/command-context.ts';
import { exitCodes, explain, explainFailure, isFailure } from '../../api/explain-failure.ts';
import { openScreen } from '../../api/open-screen.ts';
import { findingText } from '../../pentest/finding-text.ts';

interface ViewOptions extends ApiOptions {
  web?: boolean;
  full?: boolean;
}

export const viewCommand = (): Command =>
  apiCommand('view', 'show a finding with the requests and responses that prove it')
    .argument('<run>', 'id of the run')
    .argument('<finding>', 'id of the finding, as "pentest findings" prints it')
    .option('--full', 'print every line of the responses, also those far from what to look at')
    .option('--web', 'print the address of the finding in the dashboard, and open it')
    .action((run: string, id: string, options: ViewOptions) => {
      const doing = `Finding ${id} could not be read`;
      return withShell(options, doing, async (shell) => {
        const client = await shell.client();
        const { data } = await client.pentests.finding(run, id).catch(async (error) => {
          throw await explainMissing(error, { client, run, doing });
        });
        if (options.web) return openScreen(shell, `runs/${encodeURIComponent(run)}/findings/${data.id}`);
        shell.print({ schema: 'sortie.finding/1', run, ...data }, () => findingText(data, shell.paint, options.full));
      });
    });

interface Missing {
  client: Client;
  run: string;
  doing: string;
}

/**
 * The service returns the same 404 for a finding that is not released and for one that does not exist; the run tells
 * them apart.
 */
async function explainMissing(error: unknown, { client, run, doing }: Missing): Promise<unknown> {
  if (!isFailure(error) || error.code !== 'NOT_FOUND') return error;
  const { data } = await client.pentests.get(run);
  if (data.reportReleased) {
    return explainFailure(error, doing, { hint: `List the findings of the run: npx sortie pentest findings ${run}` });
  }
  return explain({
    doing,
    why: 'the report of the run is not released yet',
    hint: `Run the same command again after the release. Show the state: npx sortie pentest view ${run}`,
    code: 'NOT_RELEASED',
    exitCode: exitCodes.undecided,
  });
}
