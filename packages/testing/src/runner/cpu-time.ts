import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks per second of `/proc`, on every Linux that Node.js supports. */
const TICKS = 100;

/**
 * Returns the CPU seconds of a process, of those that it has waited for, and of those that it has started and that
 * still run. Where there is no `/proc`, only this process counts.
 */
export function cpuSecondsOf(pid: number | 'self'): number {
  const own = readTicks(pid);
  if (own === undefined) return pid === 'self' ? cpuOfThisProcess() : 0;
  return own / TICKS + childrenOf(pid).reduce((sum, child) => sum + cpuSecondsOf(child), 0);
}

function readTicks(pid: number | 'self'): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before it may contain spaces: utime, stime, cutime and cstime are 14th to 17th of all.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  } catch {
    return undefined;
  }
}

/** Each thread has a list of the processes that it has started. */
function childrenOf(pid: number | 'self'): number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const lists = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8'));
    return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
  } catch {
    // The process, or one of its threads, has ended.
    return [];
  }
}

/** Returns the CPU seconds of this process alone. */
export function cpuOfThisProcess(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
