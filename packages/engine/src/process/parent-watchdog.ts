import { Worker } from 'node:worker_threads';

/**
 * Runs in a thread of its own, because the main thread may be too busy to notice that the worker is gone. Passed as
 * text, because this process may no longer be allowed to read files when the thread starts.
 */
const PROGRAM = `
  const parent = process.ppid;
  let left = 4;
  setInterval(() => { if (process.ppid !== parent && --left <= 0) process.kill(process.pid, 'SIGKILL'); }, 1000);
`;

/**
 * Kills this process some seconds after its parent has ended. The delay lets a process that notices by itself undo its
 * changes and remove its browser's files first.
 */
export function watchParent(): void {
  new Worker(PROGRAM, { eval: true, env: {} }).unref();
}
