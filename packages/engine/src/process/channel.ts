/**
 * The engine's side of the line to its worker: one JSON message per line, orders on standard input, answers on file
 * descriptor 3. Not Node's own channel: its other end would fall over a line that is not JSON.
 */
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { FromEngine, ToEngine } from '../protocol/messages.ts';

/** The file descriptor that answers are written to. */
export const ANSWERS = 3;

interface Channel {
  tell(answer: FromEngine): void;
  /** Once everything that was told is on its way. */
  close(): Promise<void>;
}

export function openChannel(onOrder: (order: ToEngine) => void, onClose: () => void): Channel {
  const answers = createWriteStream('', { fd: ANSWERS });
  // The worker is gone, and with it whoever wanted to know.
  answers.on('error', () => process.exit());
  const orders = createInterface({ input: process.stdin });
  orders.on('line', (line) => onOrder(JSON.parse(line)));
  orders.on('close', onClose);
  return {
    tell: (answer) => void answers.write(`${JSON.stringify(answer)}\n`),
    close: () => new Promise((resolve) => answers.end(resolve)),
  };
}
