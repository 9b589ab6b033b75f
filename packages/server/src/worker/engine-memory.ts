import { readFile } from 'node:fs/promises';

/** A process of an engine: the engine itself or one of its descendants. */
export interface MeasuredProcess {
  pid: number;
  megabytes: number;
  /** Distance from the engine's own process, which has depth 0; all others belong to the browser. */
  depth: number;
  /** Whether it is a renderer, which runs pages of the target. */
  isPage: boolean;
}

/** Measures the anonymous memory of a process and all its descendants. Shared memory is not counted. */
async function measure(pid: number, depth = 0): Promise<MeasuredProcess[]> {
  const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
  const [status, children, command] = await Promise.all([
    read('status'),
    read(`task/${pid}/children`),
    depth > 0 ? read('cmdline') : '',
  ]);
  const megabytes = Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
  const pids = children.split(' ').filter(Boolean).map(Number);
  const others = await Promise.all(pids.map((child) => measure(child, depth + 1)));
  // Chromium rewrites a renderer's command line with spaces between the arguments.
  return [{ pid, megabytes, depth, isPage: /--type=renderer\b/.test(command) }, ...others.flat()];
}

/** The share of an engine's memory that one page of the target may use. */
const PAGE_SHARE = 0.5;

/**
 * Returns the processes to kill so that an engine stays below its limit: the largest pages first, then the whole
 * browser. Returns 'engine' only if the engine's own process exceeds the limit.
 */
export function chooseVictims(processes: readonly MeasuredProcess[], limit: number): number[] | 'engine' {
  const victims: MeasuredProcess[] = [];
  const isOver = () => totalOf(processes) - totalOf(victims) > limit;
  for (const page of processes.filter(({ isPage }) => isPage).toSorted((a, b) => b.megabytes - a.megabytes)) {
    if (isOver() || page.megabytes > limit * PAGE_SHARE) victims.push(page);
  }
  if (!isOver()) return victims.map(({ pid }) => pid);
  const engine = processes.filter(({ depth }) => depth === 0);
  if (totalOf(engine) > limit) return 'engine';
  return processes.filter(({ depth }) => depth > 0).map(({ pid }) => pid);
}

const totalOf = (processes: readonly MeasuredProcess[]) => processes.reduce((sum, { megabytes }) => sum + megabytes, 0);

/** Kills the processes that use too much memory. Resolves to true if the engine itself has to be ended. */
export async function limitMemory(pid: number, limit: number): Promise<boolean> {
  const victims = chooseVictims(await measure(pid), limit);
  if (victims === 'engine') return true;
  for (const victim of victims) {
    try {
      process.kill(victim, 'SIGKILL');
    } catch {
      // The process has already ended.
    }
  }
  return false;
}
