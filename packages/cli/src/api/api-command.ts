import { Command } from 'commander';
import type { ApiOptions, Shell } from './command-context.ts';
import { explainFailure, isFailure } from './explain-failure.ts';

/** Returns a command that calls the service, with the flags that all of these commands share. */
export function apiCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .option('--base-url <url>', 'base URL of the service (default: SORTIE_BASE_URL, sortie.yml, http://127.0.0.1:4800)')
    .option(
      '--api-key-file <file>',
      'file with the API key, - for stdin (default: SORTIE_API_KEY, else the key stored by "login")',
    )
    .option('--json', 'print one JSON document on stdout, errors included')
    .option('-q, --quiet', 'print only the result')
    .option('--utc', 'on a terminal, print UTC timestamps instead of "3 minutes ago"')
    .option('--no-color', 'disable colors')
    .option('--debug', 'log every request to stderr, without keys and bodies');
}

/**
 * Runs the work of a command and converts its failure to a CommandError. `doing` is the first part of the message and
 * says what failed.
 */
export async function withShell(
  options: ApiOptions,
  doing: string,
  work: (shell: Shell) => Promise<void>,
): Promise<void> {
  let baseUrl: string | undefined;
  try {
    // Loaded lazily, so that --help stays fast.
    const { openShell } = await import('./command-context.ts');
    const shell = openShell(options);
    baseUrl = shell.settings.baseUrl.value;
    await work(shell);
  } catch (error) {
    throw isFailure(error) ? explainFailure(error, doing, { baseUrl }) : error;
  }
}

export const collect = (value: string, before: string[] = []): string[] => [...before, value];
