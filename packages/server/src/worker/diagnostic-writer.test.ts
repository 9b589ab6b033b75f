import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Diagnostic } from '@sortie/engine';
import { createDiagnosticWriter } from './diagnostic-writer.ts';

const some = (count: number) => Array.from({ length: count }, () => ({}) as Diagnostic);

/** Records each write; `answer` decides how it ends. */
function createTable(answer: (write: number) => Promise<void>) {
  const writes: { kept: number; notKept: number }[] = [];
  const failures: unknown[] = [];
  const write: Parameters<typeof createDiagnosticWriter>[0] = async ({ diagnostics, notKept }) => {
    writes.push({ kept: diagnostics.length, notKept });
    await answer(writes.length);
  };
  return { writes, failures, writer: createDiagnosticWriter(write, (error) => failures.push(error)) };
}

describe('diagnostics of an attempt', () => {
  it('are written one batch at a time, with all that arrived meanwhile in the next', async () => {
    const first = Promise.withResolvers<void>();
    const { writes, writer } = createTable((write) => (write === 1 ? first.promise : Promise.resolve()));
    for (const count of [1, 2, 3]) writer.add({ diagnostics: some(count), notKept: 0 });
    assert.deepEqual(writes, [{ kept: 1, notKept: 0 }]);
    first.resolve();
    await writer.settled();
    assert.deepEqual(writes.slice(1), [{ kept: 5, notKept: 0 }]);
  });

  it('that do not fit while a write takes long are counted', async () => {
    const first = Promise.withResolvers<void>();
    const { writes, writer } = createTable((write) => (write === 1 ? first.promise : Promise.resolve()));
    writer.add({ diagnostics: some(1), notKept: 0 });
    for (let batch = 0; batch < 30; batch++) writer.add({ diagnostics: some(100), notKept: 1 });
    first.resolve();
    await writer.settled();
    assert.deepEqual(writes.slice(1), [{ kept: 1_000, notKept: 2_030 }]);
  });

  it('of a failed write are counted by the next one, and nothing throws', async () => {
    const { writes, writer } = createTable((write) =>
      write === 1 ? Promise.reject(new Error('40P01')) : Promise.resolve(),
    );
    writer.add({ diagnostics: some(4), notKept: 2 });
    await writer.settled();
    writer.add({ diagnostics: some(1), notKept: 0 });
    await writer.settled();
    assert.deepEqual(writes, [
      { kept: 4, notKept: 2 },
      { kept: 1, notKept: 6 },
    ]);
  });

  it('of failed writes are told once', async () => {
    const error = new Error('53100');
    const { failures, writer } = createTable(() => Promise.reject(error));
    for (let batch = 0; batch < 3; batch++) {
      writer.add({ diagnostics: some(1), notKept: 0 });
      await writer.settled();
    }
    assert.deepEqual(failures, [error]);
  });
});
