import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createReviewScene, type ReviewScene } from '@sortie/testing/world/reviewed-runs.ts';
import { checkInvariants } from '../credits/check-invariants.ts';
import { inTransaction } from '../db/database.ts';
import { pentestKind, takePentest } from '../pentests/pentests.ts';
import { play } from './play.ts';
import { advanceStory, type DueStory, deleteStory, insertStory, takeDueStories } from './store.ts';
import { stories } from './stories.ts';

let scene: ReviewScene;
before(async () => {
  scene = await createReviewScene();
});
after(() => scene.end());

const queries = () => scene.test.database.queries;
const show = (run: string) => scene.admin.run.show({ run });

/** Creates a run that was handed over to its story, and resolves to the story's first act. */
async function begin(story: string): Promise<DueStory> {
  const runId = await scene.startRun();
  await inTransaction(scene.test.database, async (tx) => {
    await pentestKind.enqueue(tx, runId);
    await insertStory(tx, { table: 'pentest', runId, story, afterMs: 0 });
  });
  const [due] = await takeDueStories(queries());
  assert.equal(due?.id, runId);
  return due;
}

/** Plays each act `times` times, as after a crash of a node. Resolves to the states shown meanwhile. */
async function playAll(due: DueStory, times: number): Promise<string[]> {
  const shown: string[] = [];
  for (const [position, act] of (stories[due.story]?.pentest ?? []).entries()) {
    for (let time = 0; time < times; time++) await play(scene.test.database, { ...due, position }, act);
    shown.push((await show(due.id)).status);
  }
  await deleteStory(queries(), due);
  return shown;
}

describe('a run of the sandbox', () => {
  it('is taken by no worker', async () => {
    const due = await begin('queued');
    assert.equal(await takePentest(queries(), { owner: 'worker', leaseMs: 60_000 }), undefined);
    await deleteStory(queries(), due);
  });

  it('gets a reviewer, also when several need the first one at once', async () => {
    const runs = await Promise.all([1, 2, 3].map(() => scene.startRun()));
    for (const run of runs) await scene.endRun(run, 'COMPLETED');
    const signOff = { act: 'sign off', afterMs: 0 } as const;
    await Promise.all(runs.map((id) => play(scene.test.database, { id, epoch: 1, position: 0 }, signOff)));
    for (const run of runs) assert.equal((await show(run)).review?.state, 'SIGNED_OFF');
  });

  it('has the effects of each act once, however often it is played', async () => {
    const due = await begin('released-findings');
    assert.deepEqual(await playAll(due, 2), ['VERIFYING', 'RECON', 'WEB_TEST', 'COMPLETED', 'COMPLETED']);
    const { meters, findings, review, credits } = await show(due.id);
    assert.deepEqual([meters.time.used, meters.requests.used], [12 * 60_000, 240]);
    assert.equal(findings.total, 15);
    assert.equal(review?.state, 'SIGNED_OFF');
    assert.equal(credits?.state, 'CHARGED');
    assert.deepEqual(await checkInvariants(queries()), []);
  });

  it('shows a status that the contract does not have, and then completes', async () => {
    const shown = await playAll(await begin('unknown-status'), 1);
    assert.deepEqual(shown, ['VERIFYING', 'RECON', 'CALIBRATION', 'COMPLETED', 'COMPLETED']);
  });

  for (const [story, statuses] of Object.entries({
    'released-findings': ['VERIFYING', 'RECON', 'WEB_TEST', 'COMPLETED', 'COMPLETED'],
    'unknown-status': ['VERIFYING', 'RECON', 'CALIBRATION', 'COMPLETED', 'COMPLETED'],
    paused: ['VERIFYING', 'RECON', 'PAUSED', 'CANCELLED'],
  })) {
    it(`of the story ${story} does not go back when acts of before are played after later ones`, async () => {
      const due = await begin(story);
      const acts = stories[story]?.pentest ?? [];
      const playAt = (position: number) =>
        play(scene.test.database, { ...due, position }, acts[position] ?? assert.fail());
      for (const [position, status] of statuses.entries()) {
        for (let late = position; late >= 0; late--) {
          await playAt(late);
          assert.equal((await show(due.id)).status, status, `act ${late} after act ${position}`);
        }
      }
      assert.deepEqual(await checkInvariants(queries()), []);
      await deleteStory(queries(), due);
    });
  }

  it('goes forward only when its acts are played from the last that leaves it open to the first', async () => {
    const due = await begin('paused');
    const acts = [...(stories.paused?.pentest ?? []).entries()].slice(0, -1).toReversed();
    for (const [position, act] of acts) {
      assert.ok(await play(scene.test.database, { ...due, position }, act), act.act);
      assert.equal((await show(due.id)).status, 'PAUSED');
    }
    await deleteStory(queries(), due);
  });

  it('is left alone once somebody has cancelled it', async () => {
    const due = await begin('released-findings');
    await scene.endRun(due.id, 'CANCELLED');
    for (const act of stories['released-findings']?.pentest ?? []) {
      assert.equal(await play(scene.test.database, due, act), false, act.act);
    }
    const { status, findings, credits } = await show(due.id);
    assert.deepEqual([status, findings.total, credits?.state], ['CANCELLED', 0, 'RETURNED']);
    await deleteStory(queries(), due);
  });
});

describe('a story in environment live', () => {
  it('takes no run, whoever asks for it', async () => {
    const id = await scene.startRun();
    const tell = inTransaction(scene.test.database, async (tx) => {
      await tx.updateTable('service').set({ environment: 'live' }).execute();
      await pentestKind.enqueue(tx, id);
      await insertStory(tx, { table: 'pentest', runId: id, story: 'queued', afterMs: 0 });
    });
    await assert.rejects(tell, /environment test only/);
    assert.deepEqual(await takeDueStories(queries()), []);
    assert.equal((await show(id)).lease.owner, null);
  });
});

describe('an act that is due', () => {
  it('is given to one node at a time', async () => {
    const due = await begin('released-clean');
    assert.deepEqual(await takeDueStories(queries()), []);
    await advanceStory(queries(), due, 0);
    const taken = await Promise.all([takeDueStories(queries()), takeDueStories(queries())]);
    assert.deepEqual(taken.flat(), [{ ...due, position: 1 }]);
    // A late node does not advance the story.
    await advanceStory(queries(), due, 0);
    assert.deepEqual(await takeDueStories(queries()), []);
  });
});

describe('a status that the contract does not have', () => {
  it('cannot be given to a run outside of the sandbox', async () => {
    const id = await scene.startRun();
    const change = scene.test.database.pool.query(`update pentest set status = 'CALIBRATION' where id = $1`, [id]);
    await assert.rejects(change, /pentest_status_check/);
  });
});
