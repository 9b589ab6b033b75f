import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { cpuSecondsOf } from './cpu-time.ts';
import { root } from './test-files.ts';

/** CPU seconds of a test file with the processes that it starts, or of what its process does for all its files. */
export interface Cost {
  name: string;
  seconds: number;
}

/** Names the file to which test processes append their costs. */
export const COSTS_VARIABLE = 'SORTIE_TEST_COSTS';

/** What this process had used when each of its files began. */
const starts: Cost[] = [];

/** Called when the tests of a file begin, in a process that runs several. */
export function beginFile(file: string): void {
  starts.push({ name: file, seconds: cpuSecondsOf('self') });
}

/** Writes the costs of this process when it exits: what it does before its first file counts as its own. */
export function writeCostsAtExit(costsFile: string): void {
  process.once('exit', () => {
    const own = path.relative(root, process.argv[1] ?? '');
    // A test of the runner, which counts as its child.
    if (own.startsWith('..')) return;
    const ends = [...starts.map(({ seconds }) => seconds), cpuSecondsOf('self')];
    const names = [own, ...starts.map(({ name }) => name)];
    const costs = names.map((name, index): Cost => ({ name, seconds: (ends[index] ?? 0) - (ends[index - 1] ?? 0) }));
    appendFileSync(costsFile, costs.map((cost) => `${JSON.stringify(cost)}\n`).join(''));
  });
}

export function readCosts(costsFile: string): Cost[] {
  const lines = readFileSync(costsFile, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

export function describeCosts(costs: readonly Cost[], count: number): string {
  const total = costs.reduce((sum, { seconds }) => sum + seconds, 0);
  const most = costs.toSorted((one, other) => other.seconds - one.seconds).slice(0, count);
  const lines = most.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)}  ${name}`);
  return [`CPU seconds: ${total.toFixed(0)}. Most of them:`, ...lines, ''].join('\n');
}
