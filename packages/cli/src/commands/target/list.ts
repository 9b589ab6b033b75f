import type { Target } from '@sortie/sdk';
import type { Command } from 'commander';
import { apiCommand, withShell } from '../../api/api-command.ts';
import type { ApiOptions, Shell } from '../../api/command-context.ts';
import { type ListFlags, readList, withListOptions } from '../../api/list-options.ts';
import { table } from '../../terminal/text.ts';
import { coverageText, verifiedText } from './target-text.ts';

export const listCommand = (): Command =>
  withListOptions(apiCommand('list', 'list the targets assigned to you, oldest first'), 'targets').action(
    (options: ApiOptions & ListFlags) =>
      withShell(options, 'The targets could not be read', async (shell) => {
        const client = await shell.client();
        const targets = await readList(options, (query) => client.targets.listAll(query));
        shell.print({ schema: 'sortie.targets/1', targets }, () => listText(targets, shell));
      }),
  );

function listText(targets: readonly Target[], { showTime }: Shell): string {
  const headings = ['verification', 'API runs', 'verified', 'method', 'covers'];
  const rows = targets.map((target) => {
    const { verificationId, apiRuns, method } = target;
    return [verificationId, apiRuns ? 'on' : 'off', verifiedText(target, showTime), method, coverageText(target)];
  });
  return table(headings, rows, 'no targets are assigned to you');
}
