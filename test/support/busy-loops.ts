import { spawn } from 'node:child_process';

/** Ends with its parent, however that ends. */
const LOOP = `
  const parent = process.ppid;
  while (process.ppid === parent) for (const until = Date.now() + 100; Date.now() < until; );
`;

/** Starts processes that take all the processor time they are given, until the function returned is called. */
export function startBusyLoops(count: number): () => void {
  const loops = Array.from({ length: count }, () => spawn(process.execPath, ['-e', LOOP], { stdio: 'ignore' }));
  return () => {
    for (const loop of loops) loop.kill('SIGKILL');
  };
}
