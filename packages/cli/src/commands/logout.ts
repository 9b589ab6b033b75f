import type { Command } from 'commander';
import { apiCommand, withShell } from '../api/api-command.ts';
import type { ApiOptions, Shell } from '../api/command-context.ts';
import { usageError } from '../terminal/command-error.ts';

export const logoutCommand = (): Command =>
  apiCommand('logout', 'remove the stored API key from this machine, and revoke it if you want')
    .option('--revoke', 'also revoke the key on the service')
    .action((options: ApiOptions & { revoke?: boolean }) =>
      withShell(options, 'The key was not removed', async (shell) => {
        const { changeUserFile, readUserFile } = await import('../settings/settings-files.ts');
        const { config, settings } = shell;
        const baseUrl = settings.baseUrl.value;
        const { name: file, keys } = readUserFile(config.configHome);
        const key = keys[baseUrl];
        const removed = key !== undefined;
        const revoked = removed && (options.revoke || (await wantsRevocation(shell)));
        // Revokes before it removes, so that a failed revocation can be repeated with the stored key.
        if (revoked) await revoke(baseUrl, key.trim());
        if (removed) await changeUserFile(config.configHome, [{ at: ['keys', baseUrl], value: undefined }]);
        const document = { schema: 'sortie.logout/1', baseUrl, file, removed, revoked };
        shell.print(document, () =>
          removed
            ? `Logged out of ${baseUrl}: API key ${revoked ? 'revoked and ' : ''}removed from ${file}\n`
            : `No API key is stored for ${baseUrl}\n`,
        );
        if (removed && !revoked) {
          shell.say(
            'The key is still valid. Revoke it in the dashboard under Settings, API keys, or with "logout --revoke".',
          );
        }
        warn(shell);
      }),
    );

const DOING = 'The key was not revoked';

async function revoke(baseUrl: string, key: string): Promise<void> {
  const { callService, requireSuccess } = await import('../api/call-service.ts');
  const answer = await callService(baseUrl, '/api/keys/revoke', { key }, DOING);
  // 401 means that the key is no longer valid, so there is nothing to revoke.
  if (answer.status !== 401) requireSuccess(answer, DOING);
}

/** Asks only at a terminal; scripts pass --revoke. */
async function wantsRevocation({ isJson, isQuiet }: Shell): Promise<boolean> {
  if (isJson || isQuiet || !process.stdin.isTTY || !process.stderr.isTTY) return false;
  const { confirm, isCancel } = await import('@clack/prompts');
  const answer = await confirm({
    message: 'Revoke the key on the service as well?',
    initialValue: false,
    output: process.stderr,
  });
  if (isCancel(answer)) throw usageError('Cancelled: nothing was changed');
  return answer;
}

function warn({ config, say }: Shell): void {
  const name = config.apiKey === undefined ? 'SORTIE_API_KEY_FILE' : 'SORTIE_API_KEY';
  if (config.apiKey !== undefined || config.apiKeyFile !== undefined) say(`${name} is still set and takes precedence.`);
}
