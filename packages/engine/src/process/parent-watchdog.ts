import { Worker } from 'node:worker_threads';

/**
 * In a thread of its own, because the rest of this process may be too busy to notice that its worker is gone. As text,
 * because by the time the thread starts this process may no longer be allowed to read files.
 */
const PROGRAM = `
  const parent = process.ppid;
  let left = 4;
  setInterval(() => { if (process.ppid !== parent && --left <= 0) process.kill(process.pid, 'SIGKILL'); }, 1000);
`;

/**
 * Ends this process when the one that started it has ended, and a moment later: a process that notices by itself takes
 * back what it has changed and removes its browser's files first.
 */
export function watchParent(): void {
  new Worker(PROGRAM, { eval: true, env: {} }).unref();
}
