import type { Command } from 'commander';
import { apiCommand, withShell } from '../api/api-command.ts';
import type { ApiOptions, Shell } from '../api/command-context.ts';

export const logoutCommand = (): Command =>
  apiCommand('logout', 'remove the stored API key from this machine; the key stays valid').action(
    (options: ApiOptions) =>
      withShell(options, 'The key was not removed', async (shell) => {
        const { changeUserFile, readUserFile } = await import('../settings/settings-files.ts');
        const { config, settings } = shell;
        const baseUrl = settings.baseUrl.value;
        const { name: file, keys } = readUserFile(config.configHome);
        const removed = keys[baseUrl] !== undefined;
        if (removed) await changeUserFile(config.configHome, [{ at: ['keys', baseUrl], value: undefined }]);
        const document = { schema: 'sortie.logout/1', baseUrl, file, removed };
        shell.print(document, () =>
          removed
            ? `Logged out of ${baseUrl}: API key removed from ${file}\n`
            : `No API key is stored for ${baseUrl}\n`,
        );
        if (removed) shell.say('The key is still valid. Operators revoke it with: npx sortie admin key revoke');
        warn(shell);
      }),
  );

function warn({ config, say }: Shell): void {
  const name = config.apiKey === undefined ? 'SORTIE_API_KEY_FILE' : 'SORTIE_API_KEY';
  if (config.apiKey !== undefined || config.apiKeyFile !== undefined) say(`${name} is still set and takes precedence.`);
}
