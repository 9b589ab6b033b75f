import assert from 'node:assert/strict';
import type { Pentest } from '@sortie/contract';
import { ends, statuses } from './model.ts';

/** Keeps the last observation of every run: the next one must not go backwards. */
export interface Recorder {
  observations: number;
  note(pentest: Pentest): void;
  /** Reads repeatedly until the work is done; rejects if either fails. */
  during<T>(read: () => Promise<Pentest>, work: Promise<T>): Promise<T>;
}

export function createRecorder(): Recorder {
  const last = new Map<string, Pentest>();
  const recorder: Recorder = {
    observations: 0,
    note(pentest) {
      const before = last.get(pentest.id);
      recorder.observations++;
      assertPossible(pentest);
      if (before) assertForward(before, pentest);
      last.set(pentest.id, pentest);
    },
    async during(read, work) {
      let isDone = false;
      const done = work.finally(() => {
        isDone = true;
      });
      const record = async () => {
        while (!isDone) recorder.note(await read());
      };
      const [recorded] = await Promise.allSettled([record(), done]);
      if (recorded.status === 'rejected') throw recorded.reason;
      return done;
    },
  };
  return recorder;
}

const isEnd = (status: string) => ends.some((end) => end === status);

/** Asserts that credits are settled only when the run ends, and completely. */
function assertPossible({ id, status, completedAt, startedAt, credits }: Pentest): void {
  const { state, reserved, charged, returned } = credits;
  const shown = `${id}: ${JSON.stringify({ status, completedAt, startedAt, credits })}`;
  assert.equal(completedAt !== null, isEnd(status), shown);
  assert.ok(isEnd(status) || state === 'RESERVED', shown);
  assert.ok(status !== 'FAILED' || state === 'RETURNED', shown);
  if (state === 'RESERVED') assert.deepEqual([charged, returned], [null, null], shown);
  else assert.equal(Number(charged) + Number(returned), reserved, shown);
  if (state === 'RETURNED') assert.deepEqual([charged, returned], [0, reserved], shown);
}

function assertForward(before: Pentest, after: Pentest): void {
  const rank = ({ status }: Pentest) => (statuses as readonly string[]).indexOf(status);
  const shown = `${JSON.stringify(before)}\nthen ${JSON.stringify(after)}`;
  assert.ok(isEnd(before.status) ? after.status === before.status : rank(after) >= rank(before), shown);
  assert.ok(after.reportReleased || !before.reportReleased, shown);
  for (const name of ['startedAt', 'completedAt'] as const) {
    if (before[name] !== null) assert.equal(after[name], before[name], shown);
  }
  if (before.credits.state !== 'RESERVED') assert.deepEqual(after.credits, before.credits, shown);
  assert.equal(after.credits.reserved, before.credits.reserved, shown);
  const constant = ({ id, targetUrl, depth, apiKeyId, createdAt }: Pentest) => [
    id,
    targetUrl,
    depth,
    apiKeyId,
    createdAt,
  ];
  assert.deepEqual(constant(after), constant(before), shown);
}
