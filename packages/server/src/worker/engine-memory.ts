import { readFile } from 'node:fs/promises';

/** A process of an engine: its own, or one that it has started. */
export interface MeasuredProcess {
  pid: number;
  megabytes: number;
  /** How far it is from the engine's own process, which is 0; all others belong to the browser. */
  depth: number;
  /** Whether it shows pages of the target. */
  isPage: boolean;
}

/** Of the process and all that it has started; what they share with others is nobody's. */
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
  // Chromium writes a renderer's command line anew, with blanks in between.
  return [{ pid, megabytes, depth, isPage: /--type=renderer\b/.test(command) }, ...others.flat()];
}

/** The part of an engine's memory that the page of a target may take. */
const PAGE_SHARE = 0.5;

/**
 * What has to end for an engine to keep to its limit. A page pays for its memory itself, then the browser, and the engine
 * only for its own.
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

/** Ends what takes too much memory. Answers whether the engine itself does. */
export async function limitMemory(pid: number, limit: number): Promise<boolean> {
  const victims = chooseVictims(await measure(pid), limit);
  if (victims === 'engine') return true;
  for (const victim of victims) {
    try {
      process.kill(victim, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
  return false;
}
