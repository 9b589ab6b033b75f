/**
 * The engine's end of the channel to its worker: one JSON message per line, orders on standard input, answers on file
 * descriptor 3. Node's own IPC channel is not used, because the worker would crash on a line that is not JSON.
 */
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { FromEngine, ToEngine } from '../protocol/messages.ts';

/** File descriptor that answers are written to. */
export const ANSWERS = 3;

interface Channel {
  tell(answer: FromEngine): void;
  /** Resolves when everything told so far is flushed. */
  close(): Promise<void>;
}

export function openChannel(onOrder: (order: ToEngine) => void, onClose: () => void): Channel {
  const answers = createWriteStream('', { fd: ANSWERS });
  // The worker is gone, so nothing is left to do.
  answers.on('error', () => process.exit());
  const orders = createInterface({ input: process.stdin });
  orders.on('line', (line) => onOrder(JSON.parse(line)));
  orders.on('close', onClose);
  return {
    tell: (answer) => void answers.write(`${JSON.stringify(answer)}\n`),
    close: () => new Promise((resolve) => answers.end(resolve)),
  };
}
