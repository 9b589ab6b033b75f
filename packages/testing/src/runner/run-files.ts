import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { databaseCpuSeconds, globalSetup, globalTeardown } from '../database/cluster.ts';
import { COSTS_VARIABLE, describeCosts, readCosts } from './costs.ts';
import { cpuOfThisProcess } from './cpu-time.ts';
import { root } from './test-files.ts';

interface RunOptions {
  /** Of a test and of a whole file. */
  timeoutMs: number;
  /** Two more than cores by default, because tests of servers wait for most of their time. */
  atOnce?: number;
  /** How many of the most expensive files are listed at the end. */
  listedCosts?: number;
}

/**
 * Runs test files with the test database, each in a process of its own, in the order of the list: `node --test` starts
 * them by name, and a long one would run last and alone. Then lists those that took most CPU time, so that tests that
 * have become expensive are seen at each run.
 */
export async function runFiles(files: readonly string[], options: RunOptions): Promise<void> {
  const { timeoutMs, atOnce = availableParallelism() + 2, listedCosts = 10 } = options;
  const ended = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => ended.abort());
  const folder = await mkdtemp(path.join(tmpdir(), 'sortie-test-costs-'));
  const costsFile = path.join(folder, 'costs.jsonl');
  process.env[COSTS_VARIABLE] = costsFile;
  await globalSetup();
  try {
    const tests = run({
      cwd: root,
      files: files.map((file) => path.join(root, file)),
      concurrency: atOnce,
      timeout: timeoutMs,
      signal: ended.signal,
      execArgv: [`--import=${path.join(root, 'packages/testing/src/server/end-with-tests.ts')}`],
    });
    tests.on('test:summary', ({ success }) => {
      if (!success) process.exitCode = 1;
    });
    await pipeline(tests, spec(), process.stdout, { end: false });
    const costs = [
      ...readCosts(costsFile),
      { name: 'the runner', seconds: cpuOfThisProcess() },
      { name: 'the test database', seconds: await databaseCpuSeconds() },
    ];
    console.log(describeCosts(costs, listedCosts));
  } finally {
    await globalTeardown();
    await rm(folder, { recursive: true });
  }
}
