import type { Command } from 'commander';
import { apiCommand, withShell } from '../api/api-command.ts';
import type { ApiOptions, Shell } from '../api/command-context.ts';
import { isFailure } from '../api/explain-failure.ts';
import { usageError } from '../terminal/command-error.ts';

export const loginCommand = (): Command =>
  apiCommand('login', 'validate and store an API key for this service')
    .addHelpText(
      'after',
      '\nPrompts for the key, or reads it from stdin: npx sortie login < key.txt. The key is no argument, because other\n' +
        'users of this machine can read those. It is stored per base URL, in a file that only you can read.',
    )
    .action(({ apiKeyFile, ...options }: ApiOptions) =>
      withShell(options, 'The key was not stored', async (shell) => {
        const { keyTail, readKey, refuseAddressOfProject } = await import('../settings/settings.ts');
        const { changeUserFile, userFileName } = await import('../settings/settings-files.ts');
        const { config, settings } = shell;
        const baseUrl = settings.baseUrl.value;
        // The interactive prompt shows the address, so only unattended input needs this check.
        if (apiKeyFile !== undefined || !process.stdin.isTTY) refuseAddressOfProject(settings, 'The key');
        const key = readKey(
          'The key',
          apiKeyFile === undefined ? await askForKey(baseUrl) : await readFile(apiKeyFile),
        );
        const isReader = await check(baseUrl, key);
        await changeUserFile(config.configHome, [
          { at: ['baseUrl'], value: baseUrl },
          { at: ['keys', baseUrl], value: key },
        ]);
        const file = userFileName(config.configHome);
        const document = { schema: 'sortie.login/1', baseUrl, key: keyTail(key), file, readsCredits: isReader };
        shell.print(document, () => `Logged in to ${baseUrl} with the key ${keyTail(key)}, stored in ${file}\n`);
        warn(shell);
      }),
    );

const readFile = async (name: string) => (await import('../settings/read-yaml.ts')).readText(name);

async function askForKey(baseUrl: string): Promise<string> {
  if (!process.stdin.isTTY) return readFile('-');
  const { isCancel, password } = await import('@clack/prompts');
  const answer = await password({ message: `API key for ${baseUrl}`, mask: '•', output: process.stderr });
  if (isCancel(answer) || !answer) throw usageError('No API key given');
  return answer;
}

/** Resolves to whether the key may read credits. A key without that permission is valid, too. */
async function check(baseUrl: string, apiKey: string): Promise<boolean> {
  const { createClient } = await import('@sortie/sdk');
  try {
    await createClient({ baseUrl, apiKey, maxRetries: 1 }).credits.balance();
    return true;
  } catch (error) {
    if (isFailure(error) && error.code === 'FORBIDDEN') return false;
    throw error;
  }
}

function warn({ config, say }: Shell): void {
  if (config.apiKey !== undefined) say('SORTIE_API_KEY is set and overrides the stored key.');
  else if (config.apiKeyFile !== undefined) say('SORTIE_API_KEY_FILE is set and overrides the stored key.');
}
