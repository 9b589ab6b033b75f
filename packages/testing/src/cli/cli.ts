import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { quickImports } from '../loading/bundles.ts';
import { type Finished, runInHost } from './commands.ts';

const launcher = path.resolve(import.meta.dirname, '../../../cli/bin/sortie.js');

/** Variables of the developer's environment that must not reach a command under test. */
const foreign = /^(?:SORTIE_|CI$|CI_|GITHUB_|GITLAB_|BUILD_|FORCE_COLOR$|NO_COLOR$|DATABASE_URL$|NODE_OPTIONS$)/;

/** Many times the duration of a command on a busy machine. */
const TIMEOUT_MS = 120_000;

export interface CliOptions {
  env?: Record<string, string>;
  cwd?: string;
  /** Piped to stdin; empty by default. */
  input?: string;
}

export interface RunningCli {
  finished: Promise<Finished>;
  /** Returns everything written so far. */
  stderr(): string;
  kill(signal: NodeJS.Signals): void;
}

/** Creates an empty home folder without configuration. */
export const emptyFolder = (): string => mkdtempSync(path.join(tmpdir(), 'sortie-cli-'));

export function cliEnvironment(env: Record<string, string> = {}): Record<string, string> {
  const inherited = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  return { ...(Object.fromEntries(inherited) as Record<string, string>), ...env };
}

/** Starts the CLI in a process of its own. */
export function startCli(args: readonly string[], options: CliOptions): RunningCli {
  const { env = {}, cwd, input = '' } = options;
  const child = spawn(process.execPath, [quickImports, launcher, ...args], {
    env: cliEnvironment(env),
    cwd,
    timeout: TIMEOUT_MS,
  });
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text;
    });
  }
  child.stdin.end(input);
  const finished = new Promise<Finished>((resolve) => {
    child.once('close', (code) => resolve({ exitCode: code ?? -1, ...written }));
  });
  return { finished, stderr: () => written.stderr, kill: (signal) => child.kill(signal) };
}

/** Runs the command in a shared process, unless it reads stdin. */
export const runCli = (args: readonly string[], options: CliOptions): Promise<Finished> => {
  const { env, cwd = process.cwd(), input } = options;
  return input === undefined ? runInHost({ args, env: cliEnvironment(env), cwd }) : startCli(args, options).finished;
};
