import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface Finished {
  exitCode: number;
  stdout: string;
  stderr: string;
}

export interface Commands {
  /** What a command of `sortie` ends with. They are carried out one after the other. */
  run(args: readonly string[]): Promise<Finished>;
  end(): Promise<void>;
}

interface CommandsOptions {
  env?: Record<string, string>;
  cwd?: string;
}

/**
 * One process for many commands, on this database: loading the code takes most of the time of each. What only a process
 * of its own can show, such as how it ends, has to be asked of the launcher.
 */
export function startCommands(databaseUrl: string, { env = {}, cwd }: CommandsOptions = {}): Commands {
  const { SORTIE_CATALOGUE: _catalogue, NODE_OPTIONS: _options, ...inherited } = process.env;
  const host = fork(join(import.meta.dirname, 'command-host.ts'), {
    env: { ...inherited, DATABASE_URL: databaseUrl, ...env },
    cwd,
    // What the test runner loads into test files is not for commands.
    execArgv: [],
  });
  const ended = once(host, 'exit');
  let last: Promise<unknown> = Promise.resolve();

  async function carryOut(args: readonly string[]): Promise<Finished> {
    const finished = once(host, 'message').then(([message]) => message as Finished);
    host.send(args);
    const died = ended.then(([code]) => Promise.reject(new Error(`"sortie ${args.join(' ')}" ended with ${code}`)));
    return Promise.race([finished, died]);
  }

  return {
    run(args) {
      const mine = last.then(() => carryOut(args));
      last = mine.catch(() => undefined);
      return mine;
    },
    async end() {
      host.disconnect();
      await ended;
    },
  };
}
