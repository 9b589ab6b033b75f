import { spawn } from 'node:child_process';

/** Exits when its parent is gone. */
const LOOP = `
  const parent = process.ppid;
  while (process.ppid === parent) for (const until = Date.now() + 100; Date.now() < until; );
`;

/** Starts processes that use all available CPU time until the returned function is called. */
export function startBusyLoops(count: number): () => void {
  const loops = Array.from({ length: count }, () => spawn(process.execPath, ['-e', LOOP], { stdio: 'ignore' }));
  return () => {
    for (const loop of loops) loop.kill('SIGKILL');
  };
}
