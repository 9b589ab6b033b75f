import { type ChildProcess, spawn } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { childProgram, type ToEngine } from '@sortie/engine';
import { limitMemory } from './engine-memory.ts';
import { type Received, readMessages } from './engine-messages.ts';
import { type EnginePlace, type EnginePlaces, takePlace } from './engine-place.ts';
import { type Privileges, withoutNewPrivileges } from './privileges.ts';

export interface EngineOptions extends EnginePlaces {
  /** Undefined: engines may gain privileges. */
  privileges?: Privileges | undefined;
  memoryMegabytes: number;
  /** Told of errors of the engine's own; such an error is no message that is received. */
  onFault?: (cause: string) => void;
}

/** What an engine is started for; it loads nothing else. */
export type EngineWork = 'looks' | 'browser' | 'pentest' | 'pentest-with-browser' | 'script';

export interface EngineProcess {
  send(message: ToEngine): void;
  /** Ends when the process has ended, for whatever reason. */
  received: AsyncIterable<Received>;
  /** It is killed so much later, unless it is allowed more time before. Until the first call it may take its time. */
  allow(milliseconds: number): void;
  /**
   * It may take back what it has changed at its target, for a short time, and nothing else. Until it has ended, what it
   * says of its connections is received, and nothing else either. Reasons are for the log.
   */
  end(reason: string): void;
  /** It ends at once, without another request, and nothing more is received. */
  kill(reason: string): void;
  /** Why it ended: who killed it, or by itself with which code or signal. */
  endedBy(): string;
}

const MEMORY_LOOK_MS = 500;
/** In which an engine may take back what it has changed at its target. */
const LAST_BREATH_MS = 3_000;
/** In which its browser may remove its files. */
const LEAVING_MS = 1_000;
/** For what an engine said before it ended. Longer only if somebody else holds its line. */
const LAST_WORDS_MS = 1_000;

/**
 * Starts an engine in a process of its own: nothing of our environment, no open file but its line to us, a user and a
 * folder for temporary files of its own. What it starts belongs to its process group, and is ended with it.
 */
export function startEngine(options: EngineOptions, work: EngineWork): EngineProcess {
  const { memoryMegabytes, onFault, privileges } = options;
  const place = takePlace(options);
  const child = spawnEngine(place, work, privileges);
  // Before it has started anything.
  if (child.pid !== undefined) options.memory?.limit(child.pid);
  const orders = child.stdio[0] as Writable;
  const answers = child.stdio[3] as Readable;
  let endedBy: string | undefined;
  let life: NodeJS.Timeout | undefined;
  let endingSince = Number.POSITIVE_INFINITY;
  let isKilled = false;
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const killAfter = (milliseconds: number) => setTimeout(() => killGroup(child), milliseconds).unref();
  const kill = (reason: string) => {
    lines.end();
    if (isKilled || hasEnded()) return;
    isKilled = true;
    endedBy ??= reason;
    // One that is taking things back does not read its orders any more.
    if (orders.writableEnded) return killGroup(child);
    orders.end(toLine({ type: 'leave' }));
    killAfter(LEAVING_MS);
  };
  const end = (reason: string) => {
    if (!changesTargets(work)) return kill(reason);
    if (orders.writableEnded || hasEnded()) return;
    endedBy ??= reason;
    endingSince = performance.now();
    orders.end();
    killAfter(LAST_BREATH_MS);
  };
  const memory = setInterval(async () => {
    if (child.pid !== undefined && (await limitMemory(child.pid, memoryMegabytes))) end('memory limit');
  }, MEMORY_LOOK_MS);
  const lines = readMessages(answers, () => kill('nonsense on its line'));
  const tidyUp = (fallback: string) => {
    endedBy ??= fallback;
    clearInterval(memory);
    clearTimeout(life);
    // Whatever it has left behind in its group.
    killGroup(child);
    void place.clear().then(() => child.pid !== undefined && options.memory?.remove(child.pid));
    setTimeout(lines.end, LAST_WORDS_MS).unref();
  };
  child.once('exit', (code, signal) => tidyUp(signal ?? `exit ${code}`));
  child.once('error', (error: NodeJS.ErrnoException) => tidyUp(error.code ?? 'could not be started'));
  child.once('close', lines.end);
  // An engine that is gone is noticed where its messages are read.
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
  { user, folder }: EnginePlace,
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
  const hasBrowser = work === 'browser' || work === 'pentest-with-browser';
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

/** Of what arrives later, only where it went: what a broken step has done, the next attempt does anew. */
async function* untilEnding(received: AsyncIterable<Received>, endingSince: () => number): AsyncIterable<Received> {
  for await (const { message, at } of received) {
    if (at <= endingSince()) yield { message, at };
    else if ('egress' in message && message.egress) yield { message: { type: 'egress', egress: message.egress }, at };
  }
}

/** So many of one engine: what it says is bounded. */
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
    // Nobody is left in the group; or we may not, and then its life ends with the line to us.
  }
}
