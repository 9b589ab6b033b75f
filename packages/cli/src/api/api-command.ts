import { Command } from 'commander';
import type { ApiOptions, Shell } from './command-context.ts';
import { explainFailure, isFailure } from './explain-failure.ts';

/** A command that speaks to the service: it has the flags that all of them have. */
export function apiCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .option('--base-url <url>', 'address of the service (default: SORTIE_BASE_URL, sortie.yml, http://127.0.0.1:4800)')
    .option('--api-key-file <file>', 'file that holds the API key, - for stdin (default: SORTIE_API_KEY, "login")')
    .option('--json', 'print one JSON document on stdout, errors included')
    .option('-q, --quiet', 'say nothing but the result')
    .option('--utc', 'on a terminal: timestamps in UTC instead of "3 minutes ago"')
    .option('--no-color', 'without colours')
    .option('--debug', 'name every request on stderr, without keys and bodies');
}

/** Carries out the work of a command. `doing` begins the sentence that says what did not work. */
export async function withShell(
  options: ApiOptions,
  doing: string,
  work: (shell: Shell) => Promise<void>,
): Promise<void> {
  try {
    // Help does not wait for what only work needs.
    const { openShell } = await import('./command-context.ts');
    await work(openShell(options));
  } catch (error) {
    throw isFailure(error) ? explainFailure(error, doing) : error;
  }
}

export const collect = (value: string, before: string[] = []): string[] => [...before, value];
