import { Worker } from 'node:worker_threads';

/**
 * Injected SQL can run forever or exhaust the memory, and meanwhile blocks the event loop, so that the process does not
 * even notice the end of its parent. A worker thread kills the process after five seconds without a heartbeat, or above
 * the memory limit.
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
