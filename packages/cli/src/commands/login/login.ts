import type { Command } from 'commander';
import { apiCommand, withShell } from '../../api/api-command.ts';
import type { ApiOptions, Shell } from '../../api/command-context.ts';
import { isFailure } from '../../api/explain-failure.ts';
import { usageError } from '../../terminal/command-error.ts';

export const loginCommand = (): Command =>
  apiCommand('login', 'get an API key by approval in the browser, or read an existing one, and store it')
    .option('--browser', 'approve in the browser, also when stdin is no terminal')
    .option('--paste', 'ask for a key at the terminal instead of the browser')
    .addHelpText(
      'after',
      '\nAt a terminal it prints an address and a code: open the address in any browser, enter the code and approve.\n' +
        'A key that you have is read from stdin: npx sortie login < key.txt. It is no argument, because other users of\n' +
        'this machine can read those. It is stored per base URL, in a file that only you can read.',
    )
    .action(({ apiKeyFile, ...options }: LoginOptions) =>
      withShell(options, 'The key was not stored', async (shell) => {
        const { keyTail, readKey, refuseAddressOfProject } = await import('../../settings/settings.ts');
        const { changeUserFile, userFileName } = await import('../../settings/settings-files.ts');
        const { config, settings } = shell;
        const baseUrl = settings.baseUrl.value;
        // Only the prompt shows the person which address gets the key. In every other case a project file could
        // redirect the key, or the login page, to another service.
        const isPrompt = options.paste === true && process.stdin.isTTY && apiKeyFile === undefined;
        if (!isPrompt) refuseAddressOfProject(settings, 'The key');
        const key = readKey('The key', await obtainKey(baseUrl, { ...options, apiKeyFile }));
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

interface LoginOptions extends ApiOptions {
  browser?: boolean;
  paste?: boolean;
}

type GivenKey = Pick<LoginOptions, 'browser' | 'paste'> & { apiKeyFile: string | undefined };

async function obtainKey(baseUrl: string, { apiKeyFile, browser, paste }: GivenKey): Promise<string> {
  if (browser && (paste || apiKeyFile !== undefined))
    throw usageError('--browser takes no key: leave out the other flag');
  if (apiKeyFile !== undefined) return readFile(apiKeyFile);
  if (!browser && !process.stdin.isTTY) return readFile('-');
  if (paste) return askForKey(baseUrl);
  const { fetchKey } = await import('./fetch-key.ts');
  return fetchKey({ baseUrl, tell: (line) => process.stderr.write(`${line}\n`) });
}

const readFile = async (name: string) => (await import('../../settings/read-yaml.ts')).readText(name);

async function askForKey(baseUrl: string): Promise<string> {
  const { isCancel, password } = await import('@clack/prompts');
  const answer = await password({ message: `API key for ${baseUrl}`, mask: '•', output: process.stderr });
  if (isCancel(answer) || !answer)
    throw usageError(
      'No API key given. Create one in the dashboard under Settings, API keys, then run: npx sortie login',
    );
  return answer;
}

/** Resolves to whether the key may read credits. A key without that permission is valid as well. */
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
