import { Worker } from 'node:worker_threads';

/**
 * Injected SQL can be written to take for ever or to fill the memory, and while it runs this process hears nothing, not
 * even that its parent is gone. In a thread of its own: what stands still for five seconds or grows too large is ended.
 */
const PROGRAM = `
  const { workerData } = require('node:worker_threads');
  let last = -1, still = 0;
  setInterval(() => {
    const beat = Atomics.load(workerData, 0);
    still = beat === last ? still + 1 : 0;
    last = beat;
    if (still >= 10 || process.memoryUsage.rss() > 768 * 1024 * 1024) process.kill(process.pid, 'SIGKILL');
  }, 500);
`;

export function watchShop(): void {
  const beats = new Int32Array(new SharedArrayBuffer(4));
  setInterval(() => Atomics.add(beats, 0, 1), 250).unref();
  new Worker(PROGRAM, { eval: true, workerData: beats }).unref();
}
