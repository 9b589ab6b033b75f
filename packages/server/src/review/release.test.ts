import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { onReviews, type Reviewer, seenByOwner } from '@sortie/testing/world/review-commands.ts';
import { createReviewScene, type ReviewScene } from '@sortie/testing/world/reviewed-runs.ts';
import { checkInvariants, findHold } from '../credits/credits.ts';
import { readReport } from './review.ts';

let scene: ReviewScene;
before(async () => {
  scene = await createReviewScene();
});
after(() => scene.end());

const { take, edit, exclude, note, signOff, reject, reopen } = onReviews(() => scene);
const seen = (runId: string) => seenByOwner(scene, runId);
const report = (runId: string) => readReport(scene.test.database.queries, runId);
const assertBalanced = async () => assert.deepEqual(await checkInvariants(scene.test.database.queries), []);

async function completeAndTake(who: Reviewer = 'ada'): Promise<string> {
  const runId = await scene.completeRun();
  await take(runId, who);
  return runId;
}

describe('a report under review', () => {
  it('is not released, and its share is held, whatever the reviewer does to it', async () => {
    const runId = await scene.completeRun();
    const held = await seen(runId);
    assert.deepEqual(held.pentest.credits, { state: 'RESERVED', reserved: 2_000, charged: null, returned: null });
    assert.deepEqual(held.findings, { id: runId, reportReleased: false, total: null, nextOffset: null, findings: [] });
    await take(runId, 'ada');
    await edit(runId);
    await exclude(runId);
    await note(runId);
    await take(runId, 'ben', true);
    assert.deepEqual(await seen(runId), held);
  });

  it('cannot be told from one in progress once it was rejected, nor once it was reopened', async () => {
    const runId = await completeAndTake();
    const inProgress = await seen(runId);
    await reject(runId);
    assert.deepEqual(await seen(runId), inProgress);
    assert.deepEqual((await findHold(scene.test.database.queries, runId))?.review, { reserved: 500, charged: null });
    await reopen(runId);
    assert.deepEqual(await seen(runId), inProgress);
    await assertBalanced();
  });

  it('keeps the reason of a rejection and every note, in order, for the staff only', async () => {
    const runId = await completeAndTake();
    await note(runId);
    await reject(runId);
    await note(runId, 'ben');
    const { notes } = await report(runId);
    assert.deepEqual(
      notes.split('\n').map((line) => line.replace(/^\d{4}-\S+Z /, '')),
      ['operator: Asked the account.', `${scene.ada}: Rejected: Not reproduced.`, `${scene.ben}: Asked the account.`],
    );
    await reopen(runId);
    await take(runId, 'ada');
    await signOff(runId);
    assert.doesNotMatch(JSON.stringify(await seen(runId)), /Asked the account|Not reproduced/);
  });
});

describe('a sign-off', () => {
  it('releases what the reviewer left in the report, and charges the whole review share', async () => {
    const runId = await completeAndTake();
    await edit(runId);
    const [, low] = (await report(runId)).findings;
    assert.ok(low);
    await scene.admin.review.exclude({ run: runId, finding: low.id });
    const before = await seen(runId);
    assert.equal((await signOff(runId)).changed, true);
    const { pentest, findings, balance } = await seen(runId);
    assert.deepEqual(pentest, {
      ...before.pentest,
      reportReleased: true,
      findingCounts: { critical: 0, high: 1, medium: 0, low: 0, info: 1, total: 2 },
      credits: { state: 'CHARGED', reserved: 2_000, charged: 800, returned: 1_200 },
    });
    assert.equal(findings.total, 2);
    assert.deepEqual(
      findings.findings.map(({ title, severity }) => [title, severity]),
      [
        ['In better words', 'HIGH'],
        ['Finding 3', 'INFO'],
      ],
    );
    assert.deepEqual([balance.available, balance.held], [before.balance.available, before.balance.held - 500]);
    await assertBalanced();
  });

  it('lists a finding whose exclusion was undone', async () => {
    const runId = await completeAndTake();
    await exclude(runId);
    assert.ok((await report(runId)).findings[0]?.excludedAt instanceof Date);
    await exclude(runId, 'ada', false);
    await signOff(runId);
    assert.equal((await seen(runId)).findings.total, 3);
  });

  it('changes nothing when it is repeated, and says so', async () => {
    const runId = await completeAndTake();
    await signOff(runId);
    const released = await seen(runId);
    assert.equal((await signOff(runId)).changed, false);
    assert.deepEqual(await seen(runId), released);
  });

  it('charges the held share however late it comes, also after a rejection', async () => {
    const runId = await completeAndTake();
    await reject(runId);
    await scene.admin.clock.advance({ duration: '400d' });
    await reopen(runId);
    await take(runId, 'ben');
    await signOff(runId, 'ben');
    assert.equal((await seen(runId)).pentest.credits.charged, 800);
    await assertBalanced();
  });
});
