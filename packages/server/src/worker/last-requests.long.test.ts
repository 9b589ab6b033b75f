import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { PentestOrder } from '@sortie/engine';
import { pentestOrder, playPentest } from '@sortie/testing/engine/pentest-orders.ts';
import { descendantsOf } from '@sortie/testing/real-runs/real-run.ts';
import { type RealTarget, startRealTarget, type Visit } from '@sortie/testing/real-runs/targets.ts';
import { waitFor } from '@sortie/testing/server/up.ts';
import { createNoteBook, keeper, type NoteBook } from '@sortie/testing/targets/note-book.ts';
import { createReviewScene, type ReviewScene } from '@sortie/testing/world/reviewed-runs.ts';
import { inTransaction } from '../db/database.ts';
import { listEgress } from '../egress/egress.ts';
import { freeLease } from '../jobs/leases.ts';
import { pentestKind, type TakenPentest, takePentest } from '../pentests/pentests.ts';
import { type EngineProcess, startEngine } from './engine-process.ts';
import { type Attempt, runPentest } from './run-pentest.ts';

let scene: ReviewScene;
let book: NoteBook;
let target: RealTarget;
let connectionsBefore: number;
let run: TakenPentest;
let engine: EngineProcess;
/** The progress of a run right before it changes the role of its account. */
let progress: Pick<PentestOrder, 'done' | 'state'>;
/** Called once, when a run has just sent that change; the response is delayed until it resolves. */
let onOtherRole: (() => unknown) | undefined;
before(async () => {
  scene = await createReviewScene();
  book = createNoteBook();
  target = await startRealTarget(async (visit) => {
    const answer = await book.answer(visit);
    const act = isOtherRole(visit) ? onOtherRole : undefined;
    if (act) onOtherRole = undefined;
    await act?.();
    return answer;
  });
  const ending = new AbortController();
  onOtherRole = () => ending.abort();
  const { kept } = await playPentest(orderFor('pen_example'), ending.signal);
  progress = kept.at(-1) ?? assert.fail();
});
after(async () => {
  await target.close();
  await scene.end();
});
beforeEach(() => {
  book = createNoteBook();
  target.visits.length = 0;
  connectionsBefore = target.connections();
});
afterEach(async () => {
  engine.kill('the test is over');
  await scene.endRun(run.id, 'CANCELLED').catch(() => undefined);
});

const isOtherRole = ({ body }: Visit) => body.includes('"admin"');
const restored = '{"name":"Keeper","role":"reader"}';
const queries = () => scene.test.database.queries;
const take = (owner: string) => takePentest(queries(), { owner, leaseMs: 60_000 });

const orderFor = (runId: string) => pentestOrder(target.url, { runId, depth: 'STANDARD', credentials: [keeper] });

/** Makes one attempt at a run, with an engine in its own process. */
async function attempt(): Promise<Attempt> {
  const id = await scene.startRun();
  await inTransaction(scene.test.database, (tx) => pentestKind.enqueue(tx, id));
  run = (await take('this worker')) ?? assert.fail();
  assert.equal(run.id, id);
  engine = startEngine({ user: undefined, memoryMegabytes: 1_000 }, 'pentest');
  const order = { ...orderFor(id), ...progress };
  return runPentest(scene.test.database, run, { engine, order, stepLimitMs: 60_000, isEnded: () => false });
}

async function takeOver(): Promise<void> {
  await freeLease(queries(), 'pentest', run);
  assert.equal((await take('another worker'))?.id, run.id);
}

/**
 * The response to the change is delayed until then, so only the clean-up can have restored the role, not a later step
 * of the test.
 */
const isTakenBack = () => waitFor(() => book.profile.role === 'reader', { what: 'it to be taken back' });

const isGone = () =>
  waitFor(async () => (await descendantsOf(process.pid)).every(({ command }) => !command.includes('--pentest')), {
    what: 'the end of the engine',
  });

const afterTheChange = () => {
  const at = target.visits.findIndex(isOtherRole);
  assert.ok(at >= 0, 'the run has changed something');
  const after = target.visits.slice(at + 1);
  // Reading whether the original is back is no change.
  return after.filter(({ method }) => method !== 'GET').map(({ body }) => body);
};

async function assertRecorded(): Promise<void> {
  const went = await listEgress(queries(), run.id);
  assert.deepEqual(
    went.map(({ port, outcome, connections, requests }) => ({ port, outcome, connections, requests })),
    [
      {
        port: target.port,
        outcome: 'CONTACTED',
        connections: target.connections() - connectionsBefore,
        requests: target.visits.length,
      },
    ],
  );
}

describe('an engine that is ended in the middle of a change', () => {
  it('because its time is over takes it back, and all it has sent is in the record', async () => {
    onOtherRole = () => {
      engine.end('time limit');
      return isTakenBack();
    };
    assert.equal(await attempt(), 'died');
    assert.equal(engine.endedBy(), 'time limit');
    assert.deepEqual(afterTheChange(), [restored]);
    assert.equal(book.profile.role, 'reader');
    await assertRecorded();
  });

  it('because its run was cancelled takes it back, and all it has sent is in the record', async () => {
    onOtherRole = async () => {
      await scene.endRun(run.id, 'CANCELLED');
      // The engine reports its egress every two seconds; that report is refused because the run has ended.
      await isTakenBack();
    };
    assert.equal(await attempt(), 'lost');
    assert.equal(engine.endedBy(), 'the run was ended');
    assert.deepEqual(afterTheChange(), [restored]);
    await assertRecorded();
  });

  it('because another worker has its run sends nothing more', async () => {
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    onOtherRole = async () => {
      await takeOver();
      await ended;
    };
    const attempted = attempt();
    void attempted.finally(async () => {
      await isGone();
      resolve();
    });
    assert.equal(await attempted, 'lost');
    await ended;
    assert.equal(engine.endedBy(), 'the run was taken over');
    assert.deepEqual(afterTheChange(), []);
    assert.equal(book.profile.role, 'admin');
    const went = await listEgress(queries(), run.id);
    assert.ok(went.reduce((sum, { requests }) => sum + requests, 0) < target.visits.length);
  });
});
