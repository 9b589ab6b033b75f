import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface Finished {
  exitCode: number;
  stdout: string;
  stderr: string;
}

export interface CommandOrder {
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
}

export interface Commands {
  /** Runs a command of `sortie`, with `env` on top of the variables of all commands. */
  run(args: readonly string[], options?: { env?: Record<string, string>; cwd?: string }): Promise<Finished>;
}

interface CommandsOptions {
  env?: Record<string, string>;
  cwd?: string;
}

/** Commands of one test file that run at the same time. */
const HOSTS = 3;

const idle: ChildProcess[] = [];
const waiting: ((host: ChildProcess) => void)[] = [];
let started = 0;

/**
 * Runs a command of `sortie` in a process that runs many, one after the other: loading the code takes most of the time
 * of each. What only a process of its own shows, such as signals, stdin and how it ends, needs the launcher.
 */
export async function runInHost(order: CommandOrder): Promise<Finished> {
  const host =
    idle.pop() ?? (started < HOSTS ? startHost() : await new Promise<ChildProcess>((done) => waiting.push(done)));
  host.ref();
  host.channel?.ref();
  const ending = new AbortController();
  const died = once(host, 'exit', ending).then(([code]) => {
    started -= 1;
    throw new Error(`"sortie ${order.args.join(' ')}" ended with ${code}`);
  });
  const finished = once(host, 'message', ending).then(([message]) => message as Finished);
  host.send(order);
  try {
    return await Promise.race([finished, died]);
  } finally {
    ending.abort();
    await Promise.allSettled([finished, died]);
    if (host.connected) release(host);
  }
}

function release(host: ChildProcess): void {
  const next = waiting.shift();
  if (next) {
    next(host);
    return;
  }
  // An idle host does not keep the test file running, and ends with it.
  host.unref();
  host.channel?.unref();
  idle.push(host);
}

function startHost(): ChildProcess {
  started += 1;
  return fork(join(import.meta.dirname, 'command-host.ts'), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // What the test runner loads into test files is not for commands.
    execArgv: [],
  });
}

/** Commands on this database. */
export function createCommands(databaseUrl: string, { env = {}, cwd = process.cwd() }: CommandsOptions = {}): Commands {
  const { SORTIE_CATALOGUE: _catalogue, NODE_OPTIONS: _options, ...inherited } = process.env;
  const variables = { ...inherited, DATABASE_URL: databaseUrl, ...env };
  return {
    run: (args, options = {}) => runInHost({ args, env: { ...variables, ...options.env }, cwd: options.cwd ?? cwd }),
  };
}
