import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRunMemory } from './run-memory.ts';
import { shareAnswer } from './share-answer.ts';

type Answer = { response: { status: number; headers: []; body: Buffer; isCut: boolean } | null };
const make = (_key: string, ask: () => Promise<Answer>) => ask();

/** Resolves to the statuses that two probes get from a target that answers with these. */
async function shared(...statuses: (number | null)[]) {
  const memory = createRunMemory();
  const ask = async (): Promise<Answer> => {
    const status = statuses.shift() ?? null;
    return { response: status === null ? null : { status, headers: [], body: Buffer.alloc(0), isCut: false } };
  };
  const first = await shareAnswer({ memory, make, key: 'page' }, ask);
  const second = await shareAnswer({ memory, make, key: 'page' }, ask);
  return [first, second].map(({ response }) => response?.status);
}

describe('a response that probes share', () => {
  it('is requested once', async () => assert.deepEqual(await shared(404, 200), [404, 404]));

  for (const status of [500, 503, 429, null])
    it(`is requested again if it is ${status ?? 'none'}`, async () =>
      assert.deepEqual(await shared(status, 200), [status ?? undefined, 200]));
});
