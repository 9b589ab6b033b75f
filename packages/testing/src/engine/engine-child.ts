import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { childProgram } from '../../../engine/src/index.ts';
import { FromEngine, type PentestOrder, type ToEngine } from '../../../engine/src/protocol/messages.ts';
import { quickImports } from '../loading/bundles.ts';

type Said<Type extends FromEngine['type']> = Extract<FromEngine, { type: Type }>;

interface Attempting {
  order: PentestOrder;
  /** Saves a step; the engine continues after it. */
  save(step: Said<'step'>): void;
  /** Saves state that the engine reports within a step. */
  keep?: (state: string) => void;
  /** Called with the order and after each step, until it returns the milliseconds after which the process is killed. */
  killAfter?: () => number | undefined;
  /** The folder of the compile cache, shared between processes. */
  compiled: string;
}

/** Runs the engine program as a worker does, with one order. Resolves to the end of the run, or to 'killed'. */
export async function attemptInChild({
  order,
  save,
  keep,
  killAfter,
  compiled,
}: Attempting): Promise<Said<'over'> | 'killed'> {
  const program = [quickImports, childProgram, '--same-user', '--pentest', compiled];
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
    // Ignores output that was in transit at the kill: a worker that crashed, too, would not have received it.
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
