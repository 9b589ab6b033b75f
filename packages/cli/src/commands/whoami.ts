import type { ApiKey } from '@sortie/sdk';
import type { Command } from 'commander';
import { apiCommand, withShell } from '../api/api-command.ts';
import type { ApiOptions, Shell } from '../api/command-context.ts';
import { fields } from '../terminal/text.ts';

export const whoamiCommand = (): Command =>
  apiCommand('whoami', 'show the API key and account in use, and the permissions of the key').action(
    (options: ApiOptions) =>
      withShell(options, 'The key could not be read', async (shell) => {
        const { data } = await (await shell.client()).key.get();
        const baseUrl = shell.settings.baseUrl.value;
        shell.print({ schema: 'sortie.whoami/1', baseUrl, ...data }, () => keyText(shell, baseUrl, data));
      }),
  );

function keyText({ settings, showTime }: Shell, baseUrl: string, key: ApiKey): string {
  const { id, name, account, role, permissions, environment, budget, expiresAt } = key;
  return fields({
    Service: `${baseUrl} (environment ${environment})`,
    Account: `${account.name} (${account.id}, ${account.kind}), as ${role}`,
    Key: `${name} (${id}) from ${settings.apiKey?.source ?? 'nowhere'}`,
    Permissions: permissions.join(', ') || 'none',
    Budget: budget ? `${budget.remaining} of ${budget.limit} left (resets ${showTime(budget.resetsAt)})` : 'no limit',
    Expires: expiresAt === null ? 'never' : showTime(expiresAt),
  });
}
