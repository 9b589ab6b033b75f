import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { childProgram, FromEngine, type ToEngine } from '@sortie/engine';
import type { SystemUser } from '../run-as.ts';

export interface EngineOptions {
  /** Undefined: the user of this process. */
  user: SystemUser | undefined;
  memoryMegabytes: number;
}

export interface Received {
  message: FromEngine;
  /** When it arrived, on the real clock: what the worker does with it is not the engine's time. */
  at: number;
}

export interface EngineProcess {
  send(message: ToEngine): void;
  /** Ends when the process has ended, for whatever reason. */
  received: AsyncIterable<Received>;
  /** It is killed so much later, unless it is allowed more time before. Until the first call it may take its time. */
  allow(milliseconds: number): void;
  kill(): void;
}

const MEMORY_LOOK_MS = 500;
const PAGE_BYTES = 4096;
const MEGABYTE = 1024 * 1024;

/**
 * Starts an engine in a process of its own: nothing of our environment, no open file but the channel, a user of its
 * own. Everything it starts belongs to its process group, and ends with it.
 */
export function startEngine({ user, memoryMegabytes }: EngineOptions): EngineProcess {
  const child = spawn(process.execPath, [childProgram, ...(user ? [`--user=${user.uid}:${user.gid}`] : [])], {
    cwd: '/',
    env: {},
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const kill = () => killGroup(child);
  const memory = setInterval(() => killAbove(child, memoryMegabytes, kill), MEMORY_LOOK_MS);
  let life: NodeJS.Timeout | undefined;
  const received = receive(child, kill, () => {
    clearInterval(memory);
    clearTimeout(life);
  });
  return {
    // A process that is gone is noticed where its messages are read.
    send: (message) => void (child.connected && child.send(message, () => undefined)),
    received,
    allow(milliseconds) {
      clearTimeout(life);
      life = setTimeout(kill, milliseconds);
    },
    kill,
  };
}

function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function killAbove({ pid }: ChildProcess, megabytes: number, kill: () => void): Promise<void> {
  const statm = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => undefined);
  const pages = Number(statm?.split(' ')[1] ?? 0);
  if (pages * PAGE_BYTES > megabytes * MEGABYTE) kill();
}

/** A message of another shape ends the process: an engine that says such things is not to be believed any more. */
function receive(child: ChildProcess, kill: () => void, onEnd: () => void): AsyncIterable<Received> {
  const waiting: Received[] = [];
  let isOver = false;
  let wake: (() => void) | undefined;
  const changed = () => wake?.();
  child.on('message', (raw) => {
    const parsed = FromEngine.safeParse(raw);
    if (parsed.success) waiting.push({ message: parsed.data, at: performance.now() });
    else kill();
    changed();
  });
  const end = () => {
    isOver = true;
    onEnd();
    changed();
  };
  child.once('exit', end);
  child.once('error', end);
  return {
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const next = waiting.shift();
        if (next) yield next;
        else if (isOver) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}
