import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { quickImports } from '../loading/bundles.ts';

export interface Finished {
  exitCode: number;
  stdout: string;
  stderr: string;
}

export interface CommandOrder {
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** A program that ends when its module is loaded, instead of `sortie`. */
  module?: string;
}

export interface Commands {
  /** Runs a `sortie` command; `env` extends the common variables. */
  run(args: readonly string[], options?: { env?: Record<string, string>; cwd?: string }): Promise<Finished>;
}

interface CommandsOptions {
  env?: Record<string, string>;
  cwd?: string;
}

/** Maximum number of parallel commands per test file. */
const HOSTS = 3;

const idle: ChildProcess[] = [];
const waiting: ((host: ChildProcess) => void)[] = [];
let started = 0;

/**
 * Runs a `sortie` command in a process that is reused, because loading the code takes most of the time. Tests of
 * signals, stdin and process exit need the launcher instead.
 */
export async function runInHost(order: CommandOrder): Promise<Finished> {
  const host =
    idle.pop() ?? (started < HOSTS ? startHost() : await new Promise<ChildProcess>((done) => waiting.push(done)));
  host.ref();
  host.channel?.ref();
  const ending = new AbortController();
  const died = once(host, 'exit', ending).then(([code]) => {
    started -= 1;
    throw new Error(`"${order.module ?? 'sortie'} ${order.args.join(' ')}" ended with ${code}`);
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
  // An idle host does not keep the test file running, and exits with it.
  host.unref();
  host.channel?.unref();
  idle.push(host);
}

function startHost(): ChildProcess {
  started += 1;
  return fork(join(import.meta.dirname, 'command-host.ts'), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // Other modules that the test runner preloads are not for commands.
    execArgv: [quickImports],
  });
}

/** Returns commands that use this database. */
export function createCommands(databaseUrl: string, { env = {}, cwd = process.cwd() }: CommandsOptions = {}): Commands {
  const { SORTIE_CATALOGUE: _catalogue, NODE_OPTIONS: _options, ...inherited } = process.env;
  const variables = { ...inherited, DATABASE_URL: databaseUrl, ...env };
  return {
    run: (args, options = {}) => runInHost({ args, env: { ...variables, ...options.env }, cwd: options.cwd ?? cwd }),
  };
}
