import { type ChildProcess, spawn } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { childProgram, type ToEngine } from '@sortie/engine';
import { type EngineIsolation, type EngineIsolationOptions, isolateEngine } from './engine-isolation.ts';
import { limitMemory } from './engine-memory.ts';
import { type Received, readMessages } from './engine-messages.ts';
import { type Privileges, withoutNewPrivileges } from './privileges.ts';

export interface EngineOptions extends EngineIsolationOptions {
  memoryMegabytes: number;
  /** Called with internal errors of the engine, which `received` does not contain. */
  onFault?: (cause: string) => void;
}

/** The kind of work that an engine is started for. It loads only the code for that. */
export type EngineWork =
  | 'looks'
  | 'browser'
  | 'login'
  | 'login-with-browser'
  | 'pentest'
  | 'pentest-with-browser'
  | 'script';

export interface EngineProcess {
  send(message: ToEngine): void;
  /** Ends when the process has ended, for any reason. */
  received: AsyncIterable<Received>;
  /** Ends the engine after this time unless `allow` is called again. Without a call there is no limit. */
  allow(milliseconds: number): void;
  /**
   * Ends the engine gracefully: it gets a short time to undo its changes at the target. Until it exits, only its egress
   * records are received. `reason` is for the log.
   */
  end(reason: string): void;
  /** Ends the engine at once, without further requests. Nothing more is received. */
  kill(reason: string): void;
  /** Returns why it ended: the reason of the caller that ended it, or its signal or exit code. */
  endedBy(): string;
}

const MEMORY_LOOK_MS = 500;
/** Time for an engine to undo its changes at the target. */
const CLEAN_UP_MS = 7_000;
/** The same for an engine that exceeds its memory limit. */
const CLEAN_UP_OVER_MEMORY_MS = 3_000;
/** Time for an engine's browser to remove its files. */
const LEAVING_MS = 1_000;
/** How long to wait for buffered messages of an engine that has exited, if another process keeps its pipe open. */
const DRAIN_MS = 1_000;

/**
 * Starts an engine as a separate process. It inherits no environment variables and no open files except its pipes to
 * the server, and gets its own temporary folder and, where available, its own system user. Its descendants belong to
 * its process group and are killed with it.
 */
export function startEngine(options: EngineOptions, work: EngineWork): EngineProcess {
  const { memoryMegabytes, onFault, privileges } = options;
  const isolation = isolateEngine(options);
  const child = spawnEngine(isolation, work, privileges);
  // The limit must apply before the engine starts other processes.
  if (child.pid !== undefined) options.memory?.limit(child.pid);
  const orders = child.stdio[0] as Writable;
  const answers = child.stdio[3] as Readable;
  let endedBy: string | undefined;
  let life: NodeJS.Timeout | undefined;
  let endingSince = Number.POSITIVE_INFINITY;
  let isKilled = false;
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  // Another process may have reused the pid of an engine that has ended.
  const killAfter = (milliseconds: number) => setTimeout(() => hasEnded() || killGroup(child), milliseconds).unref();
  const kill = (reason: string) => {
    lines.end();
    if (isKilled || hasEnded()) return;
    isKilled = true;
    endedBy ??= reason;
    // An engine that undoes its changes no longer reads orders.
    if (orders.writableEnded) return killGroup(child);
    orders.end(toLine({ type: 'leave' }));
    killAfter(LEAVING_MS);
  };
  const end = (reason: string, mostMs = CLEAN_UP_MS) => {
    if (!changesTargets(work)) return kill(reason);
    if (orders.writableEnded || hasEnded()) return;
    endedBy ??= reason;
    endingSince = performance.now();
    orders.end();
    killAfter(mostMs);
  };
  const memory = setInterval(async () => {
    if (child.pid !== undefined && (await limitMemory(child.pid, memoryMegabytes)))
      end('memory limit', CLEAN_UP_OVER_MEMORY_MS);
  }, MEMORY_LOOK_MS);
  const lines = readMessages(answers, () => kill('sent a malformed message'));
  const tidyUp = (fallback: string) => {
    endedBy ??= fallback;
    clearInterval(memory);
    clearTimeout(life);
    // Kills processes that the engine has left behind in its group.
    killGroup(child);
    if (child.pid !== undefined) options.memory?.kill(child.pid);
    void isolation.clear().then(() => child.pid !== undefined && options.memory?.remove(child.pid));
    setTimeout(lines.end, DRAIN_MS).unref();
  };
  child.once('exit', (code, signal) => tidyUp(signal ?? `exit ${code}`));
  child.once('error', (error: NodeJS.ErrnoException) => tidyUp(error.code ?? 'could not be started'));
  child.once('close', lines.end);
  // The loop over `received` detects that the engine has ended.
  orders.on('error', () => undefined);
  return {
    send: (message) => void orders.write(toLine(message)),
    received: untilEnding(withoutFaults(lines.received, onFault), () => endingSince),
    allow(milliseconds) {
      clearTimeout(life);
      life = setTimeout(() => end('time limit'), milliseconds);
    },
    end,
    kill,
    endedBy: () => endedBy ?? 'still running',
  };
}

function spawnEngine(
  { user, folder }: EngineIsolation,
  work: EngineWork,
  privileges: Privileges | undefined,
): ChildProcess {
  const compiled = getCompileCacheDir();
  const command = [
    process.execPath,
    childProgram,
    user ? `--user=${user.uid}:${user.gid}` : '--same-user',
    `--${work}`,
    ...(compiled ? [dirname(compiled)] : []),
  ] as const;
  const hasBrowser = work === 'browser' || work.endsWith('-with-browser');
  const [program, ...parameters] = privileges ? withoutNewPrivileges(privileges, hasBrowser, command) : command;
  return spawn(program, parameters, {
    cwd: '/',
    env: { TMPDIR: folder },
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
  });
}

const toLine = (message: ToEngine) => `${JSON.stringify(message)}\n`;

const changesTargets = (work: EngineWork) => work === 'pentest' || work === 'pentest-with-browser';

/**
 * Drops messages that arrive after the end was requested, except egress: the next attempt repeats the interrupted step.
 */
async function* untilEnding(received: AsyncIterable<Received>, endingSince: () => number): AsyncIterable<Received> {
  for await (const { message, at } of received) {
    if (at <= endingSince()) yield { message, at };
    else if ('egress' in message && message.egress) yield { message: { type: 'egress', egress: message.egress }, at };
  }
}

/** Limits how many errors one engine can log. */
const MOST_FAULTS = 20;

async function* withoutFaults(
  received: AsyncIterable<Received>,
  onFault: EngineOptions['onFault'],
): AsyncIterable<Received> {
  let faults = 0;
  for await (const each of received) {
    if (each.message.type !== 'fault') yield each;
    else if (++faults <= MOST_FAULTS) onFault?.(each.message.cause);
  }
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group is empty, or signalling it is not permitted; then the engine ends when its pipe closes.
  }
}
