import type { Scan } from '@sortie/sdk';
import type { Command } from 'commander';
import { apiCommand, withShell } from '../../api/api-command.ts';
import type { ApiOptions, Shell } from '../../api/command-context.ts';
import { type ListFlags, readList, withListOptions } from '../../api/list-options.ts';
import { table } from '../../terminal/text.ts';
import { countsText } from './findings-text.ts';

export const listCommand = (): Command =>
  withListOptions(apiCommand('list', 'list scans of the service, newest first'), 'scans').action(
    (_options: ListFlags, command: Command) => {
      const options = command.optsWithGlobals<ApiOptions & ListFlags>();
      return withShell(options, 'The scans could not be read', async (shell) => {
        const client = await shell.client();
        const scans = await readList(options, (query) => client.scans.listAll(query));
        shell.print({ schema: 'sortie.scans/1', scans }, () => listText(scans, shell));
      });
    },
  );

function listText(scans: readonly Scan[], { showTime }: Shell): string {
  const headings = ['scan', 'status', 'score', 'findings', 'created', 'site'];
  const rows = scans.map((scan) => {
    const { id, status, score, grade, failure, createdAt, url } = scan;
    const result = score === null ? (failure?.code ?? null) : `${score} ${grade}`;
    return [id, status, result, score === null ? null : countsText(scan), showTime(createdAt), url];
  });
  return table(headings, rows, 'no scans yet');
}
