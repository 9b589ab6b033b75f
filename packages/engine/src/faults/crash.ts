import { access } from 'node:fs/promises';
import type { ScriptedCrash } from '../protocol/engine-script.ts';

const MEGABYTE = 1024 * 1024;

/** Ends this process in one of the ways in which an engine can fail. */
export async function crash(how: ScriptedCrash['how']): Promise<never> {
  if (how === 'exit') process.exit(1);
  if (how === 'kill') process.kill(process.pid, 'SIGKILL');
  if (how === 'fault') await access('/proc/sortie/closed');
  const taken: Buffer[] = [];
  // The timer keeps the process alive, like a page that never responds.
  for (;;) {
    if (how === 'memory') taken.push(Buffer.alloc(16 * MEGABYTE, 1));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
