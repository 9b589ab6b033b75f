import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readDatabaseFile } from '../../../server/src/db/embedded/database-file.ts';
import { placesOf } from '../../../server/src/db/embedded/places.ts';
import { findPostmaster } from '../../../server/src/db/embedded/postmaster.ts';
import { quickImports } from '../loading/bundles.ts';
import type { ReadyLine } from './server.ts';
import { serviceKeys } from './service-keys.ts';

const root = path.resolve(import.meta.dirname, '../../../..');
const launcher = path.join(root, 'packages/cli/bin/sortie.js');

/** Generous for busy machines; only reached on failure. */
const READY_WITHIN_MS = 60_000;
const END_WITHIN_MS = 30_000;

export interface End {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Measured from the request to end. */
  durationMs: number;
}

/** A `sortie up` process with all its output. */
export interface Up {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  ready(): Promise<ReadyLine>;
  /** Waits for the end, after sending the signal if one is given. */
  end(signal?: NodeJS.Signals): Promise<End>;
}

export interface UpOptions {
  flags: string[];
  env?: Record<string, string>;
  /** Starts it with `npm start`, as in the README. */
  viaNpm?: boolean;
  /** Starts it with `npx sortie up`. */
  viaNpx?: boolean;
  /** The launcher of another installation. */
  launcher?: string;
  /** In its own process group, so that signals can be sent like a terminal does. */
  isGroup?: boolean;
  /** A file descriptor for stderr, which is then not collected. */
  stderr?: number;
}

process.once('exit', killLeftovers);

/** Running processes, each with the pid or process group to signal. */
const running = new Map<ChildProcess, number>();

function commandOf({ viaNpm, viaNpx, flags, launcher: other }: UpOptions): string[] {
  if (viaNpm) return ['npm', 'start', '--', ...flags];
  if (viaNpx) return ['npx', 'sortie', 'up', ...flags];
  if (other) return [process.execPath, other, 'up', ...flags];
  return [process.execPath, quickImports, launcher, 'up', ...flags];
}

export function startUp(options: UpOptions): Up {
  const [program = '', ...parameters] = commandOf(options);
  const child = spawn(program, parameters, {
    cwd: root,
    detached: options.isGroup ?? false,
    env: {
      ...process.env,
      DATABASE_URL: '',
      ...serviceKeys,
      SORTIE_EDGE_RATE: '100000',
      SORTIE_EDGE_BURST: '100000',
      ...options.env,
    },
    stdio: ['ignore', 'pipe', options.stderr ?? 'pipe'],
  });
  if (child.pid !== undefined) running.set(child, options.isGroup ? -child.pid : child.pid);
  let stdout = '';
  let stderr = '';
  let spawnError: Error | undefined;
  child.once('error', (error) => {
    spawnError = error;
  });
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const describe = () => `exit ${spawnError ?? child.exitCode ?? child.signalCode}\n${stdout}\n${stderr}`;
  const hasEnded = () => spawnError !== undefined || child.exitCode !== null || child.signalCode !== null;
  const readyLine = () => stdout.split('\n').find((line) => line.startsWith('{'));
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    async ready() {
      await waitFor(() => hasEnded() || (stdout.endsWith('\n') && readyLine() !== undefined), {
        what: () => `the server to be ready: ${describe()}`,
        withinMs: READY_WITHIN_MS,
      });
      const line = readyLine();
      if (line === undefined) throw new Error(`the server did not start: ${describe()}`);
      return JSON.parse(line);
    },
    async end(signal) {
      const askedAt = performance.now();
      if (signal && !hasEnded()) child.kill(signal);
      let isClosed = false;
      void closed.then(() => {
        isClosed = true;
      });
      await waitFor(() => isClosed || spawnError !== undefined, {
        what: () => `the server to end: ${describe()}`,
        withinMs: END_WITHIN_MS,
      });
      running.delete(child);
      if (spawnError) throw spawnError;
      return { code: child.exitCode, signal: child.signalCode, durationMs: performance.now() - askedAt };
    },
  };
}

/** Sends a signal to the whole process group, like a terminal, and waits until none of its processes is left. */
export async function endGroup(server: Up, signal: NodeJS.Signals): Promise<End> {
  const group = -(server.child.pid ?? Number.NaN);
  const askedAt = performance.now();
  process.kill(group, signal);
  const end = await server.end();
  await waitFor(() => !isAlive(group), { what: 'the process group to end' });
  return { ...end, durationMs: performance.now() - askedAt };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Kills processes that a failed test left running. */
export function killLeftovers(): void {
  for (const pid of running.values()) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  running.clear();
}

/** Returns flags for free ports, JSON on stdout, and the given data folder. */
export function quietFlags(dataDir: string, ...more: string[]): string[] {
  return ['--port', '0', '--range-port', '0', '--ops-port', '0', '--data', dataDir, '--json', ...more];
}

/** Resolves to the pid of the embedded database, if it runs. */
export async function postmasterOf(dataDir: string): Promise<number | undefined> {
  const file = await readDatabaseFile(dataDir);
  return file && findPostmaster(placesOf(dataDir, file).clusterFolder);
}

/** Conditions that are slow to come true are looked at less often: many of them send a request to the server. */
const FIRST_PAUSE_MS = 20;
const LAST_PAUSE_MS = 100;

interface WaitOptions {
  what: string | (() => string);
  withinMs?: number;
}

export async function waitFor(
  condition: () => boolean | Promise<boolean>,
  { what, withinMs = 20_000 }: WaitOptions,
): Promise<void> {
  const giveUpAt = performance.now() + withinMs;
  for (let pauseMs = FIRST_PAUSE_MS; !(await condition()); pauseMs = Math.min(pauseMs * 1.5, LAST_PAUSE_MS)) {
    if (performance.now() > giveUpAt)
      throw new Error(`timed out waiting for ${typeof what === 'string' ? what : what()}`);
    await sleep(pauseMs);
  }
}
