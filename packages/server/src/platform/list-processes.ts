import { readdirSync, readFileSync } from 'node:fs';

interface RunningProcess {
  pid: number;
  /** The real, effective, saved and file system user ids. */
  uids: ReadonlySet<number>;
}

/** Lists the processes of this machine or container. May miss one that starts during the call. */
export function listProcesses(): RunningProcess[] {
  const running: RunningProcess[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const status = readFileSync(`/proc/${name}/status`, 'utf8');
      if (!isDead(status)) running.push({ pid: Number(name), uids: new Set(numbersIn(status, 'Uid')) });
    } catch {
      // The process ended during the listing.
    }
  }
  return running;
}

/**
 * Returns whether a process only waits for its parent to read its exit code, which may never happen. Threads can
 * outlive the main thread; the process then differs only in their number.
 */
function isDead(status: string): boolean {
  const [threads = 0] = numbersIn(status, 'Threads');
  return /^State:\s+[ZX]/m.test(status) && threads <= 1;
}

function numbersIn(status: string, field: string): number[] {
  const values = new RegExp(`^${field}:\\s+(.*)$`, 'm').exec(status)?.[1];
  return values?.split(/\s+/).map(Number) ?? [];
}
