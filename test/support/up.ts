import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readDatabaseFile } from '../../packages/server/src/db/embedded/database-file.ts';
import { placesOf } from '../../packages/server/src/db/embedded/places.ts';
import { findPostmaster } from '../../packages/server/src/db/embedded/postmaster.ts';
import type { ReadyLine } from './server.ts';
import { serviceKeys } from './service-keys.ts';

const root = path.resolve(import.meta.dirname, '../..');
const launcher = path.join(root, 'packages/cli/bin/sortie.js');

/** Generous, because the machine may be busy; nothing here waits for it when all goes well. */
const READY_WITHIN_MS = 60_000;
const END_WITHIN_MS = 30_000;

export interface End {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** From the moment it was asked for. */
  durationMs: number;
}

/** A `sortie up` of which everything can be seen, from its first moment to its last. */
export interface Up {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  ready(): Promise<ReadyLine>;
  /** Waits for the end, after sending a signal if one is given. */
  end(signal?: NodeJS.Signals): Promise<End>;
}

export interface UpOptions {
  flags: string[];
  env?: Record<string, string>;
  /** Through `npm start`, as the README says. */
  viaNpm?: boolean;
  /** Through `npx sortie up`. */
  viaNpx?: boolean;
  /** Of an installation elsewhere. */
  launcher?: string;
  /** In a process group of its own, so that a signal can be sent as a terminal does. */
  isGroup?: boolean;
  /** An open file that takes stderr, which then is not collected here. */
  stderr?: number;
}

process.once('exit', killLeftovers);

/** What runs, by the number that a signal reaches all of it with. */
const running = new Map<ChildProcess, number>();

function commandOf({ viaNpm, viaNpx, flags, launcher: other }: UpOptions): string[] {
  if (viaNpm) return ['npm', 'start', '--', ...flags];
  if (viaNpx) return ['npx', 'sortie', 'up', ...flags];
  return [process.execPath, other ?? launcher, 'up', ...flags];
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

/** Sends a signal as a terminal does: to every process of the group. Waits until none of them is left. */
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

/** For the end of a test: whatever it has left running because it failed. */
export function killLeftovers(): void {
  for (const pid of running.values()) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  running.clear();
}

/** Free ports, JSON on stdout, and the given data folder. */
export function quietFlags(dataDir: string, ...more: string[]): string[] {
  return ['--port', '0', '--range-port', '0', '--ops-port', '0', '--data', dataDir, '--json', ...more];
}

/** The process of the embedded database, while it runs. */
export async function postmasterOf(dataDir: string): Promise<number | undefined> {
  const file = await readDatabaseFile(dataDir);
  return file && findPostmaster(placesOf(dataDir, file).clusterFolder);
}

interface WaitOptions {
  what: string | (() => string);
  withinMs?: number;
}

export async function waitFor(
  condition: () => boolean | Promise<boolean>,
  { what, withinMs = 20_000 }: WaitOptions,
): Promise<void> {
  const giveUpAt = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > giveUpAt) throw new Error(`waited in vain for ${typeof what === 'string' ? what : what()}`);
    await sleep(20);
  }
}
