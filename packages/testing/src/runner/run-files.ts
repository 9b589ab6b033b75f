import { availableParallelism } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { globalSetup, globalTeardown } from '../database/cluster.ts';
import { root } from './test-files.ts';

/**
 * Runs test files with the test database, each in a process of its own, in the order of the list: `node --test` starts
 * them by name, and a long one would run last and alone. The timeout is that of a test and of a whole file.
 */
export async function runFiles(
  files: readonly string[],
  timeoutMs: number,
  // Two more than cores, because tests of servers wait for most of their time.
  atOnce: number = availableParallelism() + 2,
): Promise<void> {
  const ended = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => ended.abort());
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
  } finally {
    await globalTeardown();
  }
}
