import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { childProgram } from '../../packages/engine/src/index.ts';
import { FromEngine, type PentestOrder, type ToEngine } from '../../packages/engine/src/protocol/messages.ts';

type Said<Type extends FromEngine['type']> = Extract<FromEngine, { type: Type }>;

interface Attempting {
  order: PentestOrder;
  /** Saves a step; the engine goes on after it. */
  save(step: Said<'step'>): void;
  /** Keeps what it wants to be known in the course of a step. */
  keep?: (state: string) => void;
  /** Asked when the order is given and after each step, until it tells in how many milliseconds the process is killed. */
  killAfter?: () => number | undefined;
  /** Where the engine's compiled code is kept from one process to the next. */
  compiled: string;
}

/** The program of the engine as a worker starts it, with one order. Answers how the run ended, or that it was killed before. */
export async function attemptInChild({
  order,
  save,
  keep,
  killAfter,
  compiled,
}: Attempting): Promise<Said<'over'> | 'killed'> {
  const program = [childProgram, '--same-user', '--pentest', compiled];
  const child = spawn(process.execPath, program, { cwd: '/', env: {}, stdio: ['pipe', 'ignore', 'inherit', 'pipe'] });
  const exited = once(child, 'exit');
  const orders = (child.stdio[0] as Writable).on('error', () => undefined);
  const tell = (message: ToEngine) => void orders.write(`${JSON.stringify(message)}\n`);
  let isKilled = false;
  let timer: NodeJS.Timeout | undefined;
  const arm = () => {
    const milliseconds = timer ? undefined : killAfter?.();
    if (milliseconds !== undefined) timer = setTimeout(() => (isKilled = child.kill('SIGKILL')), milliseconds);
  };
  let over: Said<'over'> | undefined;
  for await (const line of createInterface({ input: child.stdio[3] as Readable })) {
    // What it has said before it was killed may still be on the line: a worker that is gone as well has not heard it.
    if (isKilled) continue;
    const message = FromEngine.parse(JSON.parse(line));
    if (message.type === 'ready') {
      tell(order);
      arm();
    } else if (message.type === 'step') {
      save(message);
      tell({ type: 'saved', name: message.name });
      arm();
    } else if (message.type === 'state') {
      keep?.(message.state);
      tell({ type: 'saved', name: null });
    } else if (message.type === 'over') {
      over = message;
      orders.end();
    }
  }
  clearTimeout(timer);
  await exited;
  if (!over && !isKilled) throw new Error('the engine ended by itself');
  return over ?? 'killed';
}
