import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createReviewScene, type ReviewScene } from '@sortie/testing/world/reviewed-runs.ts';
import { createPentestReader } from '../pentests/read-pentests.ts';
import type { Admin } from './admin.ts';

let scene: ReviewScene;
let admin: Admin;
before(async () => {
  scene = await createReviewScene();
  admin = scene.admin;
});
after(() => scene.end());

const wrong = (field: string) => ({ name: 'AppError', code: 'VALIDATION_ERROR', field });
const missing = { name: 'AppError', code: 'NOT_FOUND' };
const MINUTE = 60_000;

describe('run list', () => {
  it('shows the newest first, of all accounts, or of one account, or with a status', async () => {
    const completed = await scene.completeRun('LEAD');
    const cancelled = await scene.startRun();
    await scene.endRun(cancelled, 'CANCELLED');
    const waiting = await scene.startRun('DEEP');
    const { id: emptyAccount } = await admin.account.create({ name: 'Empty', kind: 'organization' });
    const listed = async (input: Parameters<Admin['run']['list']>[0]) =>
      (await admin.run.list(input)).runs.map(({ id }) => id);
    assert.deepEqual(await listed({ limit: '3' }), [waiting, cancelled, completed]);
    assert.deepEqual(await listed({ limit: '1' }), [waiting]);
    assert.deepEqual(await listed({ account: scene.owner.accountId }), [waiting, cancelled, completed]);
    assert.deepEqual(await listed({ account: emptyAccount }), []);
    assert.deepEqual(await listed({ status: 'COMPLETED,QUEUED' }), [waiting, completed]);
    const [first] = (await admin.run.list({})).runs;
    const reserved = { state: 'RESERVED', reserved: 6_000, charged: null, returned: null };
    assert.deepEqual([first?.status, first?.depth, first?.credits], ['QUEUED', 'DEEP', reserved]);
    await scene.endRun(waiting, 'CANCELLED');
  });

  it('refuses what is wrong or unknown', async () => {
    await assert.rejects(admin.run.list({ status: 'DONE' }), {
      ...wrong('status'),
      message: /^status must be .*QUEUED/,
    });
    await assert.rejects(admin.run.list({ limit: '1001' }), wrong('limit'));
    await assert.rejects(admin.run.list({ account: 'acc_none' }), missing);
  });
});

describe('run show', () => {
  it('shows who works on a run, and what it has used and found so far', async () => {
    const run = await scene.workOnRun('STANDARD', { engineMs: 90_000, requests: 40, modelMicrodollars: 7 });
    const shown = await admin.run.show({ run });
    assert.deepEqual(
      [shown.id, shown.accountId, shown.userId, shown.targetUrl, shown.depth, shown.status],
      [run, scene.owner.accountId, scene.owner.userId, scene.target.targetUrl, 'STANDARD', 'VERIFYING'],
    );
    assert.ok(shown.handedOverAt && shown.startedAt && shown.lease.until);
    assert.deepEqual([shown.completedAt, shown.releasedAt], [null, null]);
    assert.deepEqual([shown.lease.owner, shown.lease.epoch, shown.attempts], ['worker-1', 1, 1]);
    assert.deepEqual(shown.meters, {
      time: { used: 90_000, allowed: 180 * MINUTE, unit: 'ms' },
      requests: { used: 40, allowed: 25_000, unit: 'requests' },
      model: { used: 7, allowed: 15_000_000, unit: 'microdollars' },
    });
    assert.deepEqual(
      shown.steps.map(({ completedAt, ...step }) => [completedAt instanceof Date, step]),
      [
        [
          true,
          { name: 'WEB_TEST/1', phase: 'WEB_TEST', epoch: 1, engineMs: 90_000, requests: 40, modelMicrodollars: 7 },
        ],
      ],
    );
    assert.deepEqual(shown.findings, { CRITICAL: 0, HIGH: 1, MEDIUM: 0, LOW: 1, INFO: 1, total: 3, excluded: 0 });
    assert.deepEqual(shown.credits, { state: 'RESERVED', reserved: 2_000, charged: null, returned: null });
    assert.deepEqual([shown.review, shown.summary], [null, null]);
    await scene.endRun(run, 'CANCELLED');
  });

  it('shows the review of a completed run, and counts what was excluded apart', async () => {
    const run = await scene.completeRun();
    const waiting = await admin.run.show({ run });
    assert.deepEqual([waiting.review?.state, waiting.review?.reviewerId], ['WAITING', null]);
    assert.equal(waiting.summary, 'All of it was tested.');
    await admin.review.take({ run, reviewer: scene.ada });
    const finding = (await admin.review.show({ run })).findings[0]?.id ?? '';
    await admin.review.exclude({ run, finding });
    await admin.review.signOff({ run });
    const shown = await admin.run.show({ run });
    assert.deepEqual(shown.findings, { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 1, INFO: 1, total: 2, excluded: 1 });
    assert.deepEqual([shown.review?.state, shown.review?.reviewerId], ['SIGNED_OFF', scene.ada]);
    assert.ok(shown.releasedAt instanceof Date && shown.review?.decidedAt instanceof Date);
    assert.equal(shown.credits?.state, 'CHARGED');
  });

  it('does not know a run that is not there, and says where to look', async () => {
    for (const command of [admin.run.show, admin.run.statement]) {
      await assert.rejects(command({ run: 'pen_none' }), { ...missing, message: /npx sortie admin run list/ });
      await assert.rejects(command({} as never), wrong('run'));
    }
  });
});

const none = { reserved: 0, charged: 0, returned: 0, held: 0 };
const part = (reserved: number, charged: number) => ({ reserved, charged, returned: reserved - charged, held: 0 });

/** Returns the statement, after checking that it matches the run's credits as shown elsewhere. */
async function statementOf(run: string) {
  const statement = await admin.run.statement({ run });
  const { testing, review, total } = statement;
  for (const name of ['reserved', 'charged', 'returned', 'held'] as const) {
    assert.equal(testing[name] + review[name], total[name]);
  }
  for (const each of [testing, review]) assert.equal(each.charged + each.returned + each.held, each.reserved);
  const { credits } = await createPentestReader(scene.test.database).read(scene.owner, run);
  assert.equal(total.reserved, credits.reserved);
  if (total.held > 0) assert.deepEqual([credits.state, credits.charged, credits.returned], ['RESERVED', null, null]);
  else assert.deepEqual([total.charged, total.returned], [credits.charged, credits.returned]);
  return statement;
}

describe('run statement', () => {
  it('itemises the charge of a completed run: each meter, the largest, what was charged and returned', async () => {
    const run = await scene.completeRun('STANDARD');
    const statement = await statementOf(run);
    assert.deepEqual(statement.meters, {
      time: { used: 36 * MINUTE, allowed: 180 * MINUTE, unit: 'ms', credits: 300 },
      requests: { used: 2_500, allowed: 25_000, unit: 'requests', credits: 150 },
      model: { used: 1_500_000, allowed: 15_000_000, unit: 'microdollars', credits: 150 },
    });
    assert.deepEqual([statement.largest, statement.minimum], [300, 100]);
    assert.deepEqual([statement.outcome, statement.started], ['COMPLETED', true]);
    assert.deepEqual(statement.testing, part(1_500, 300));
    assert.deepEqual(statement.review, { reserved: 500, charged: 0, returned: 0, held: 500 });
  });

  it('has the review share held while the review goes on or was rejected, and charged once it is signed off', async () => {
    const run = await scene.completeRun('STANDARD');
    const held = await statementOf(run);
    await admin.review.take({ run, reviewer: scene.ada });
    await admin.review.reject({ run, reason: 'Empty.' });
    assert.deepEqual(await statementOf(run), held);
    await admin.review.reopen({ run });
    await admin.review.take({ run, reviewer: scene.ada });
    await admin.review.signOff({ run });
    const { review, total } = await statementOf(run);
    assert.deepEqual([review, total], [part(500, 500), part(2_000, 800)]);
  });

  const idle = { engineMs: 0, requests: 0, modelMicrodollars: 0 };
  const cases = [
    { what: 'the minimum', used: idle, largest: 0, charged: 100 },
    { what: 'the requests', used: { ...idle, requests: 1_501 }, largest: 201, charged: 201 },
    { what: 'the model budget', used: { ...idle, modelMicrodollars: 999_999 }, largest: 400, charged: 400 },
    { what: 'no more than is held', used: { ...idle, engineMs: 45 * MINUTE }, largest: 600, charged: 400 },
  ];
  for (const { what, used, largest, charged } of cases) {
    it(`shows that a completed run was charged ${what}`, async () => {
      const statement = await statementOf(await scene.completeRun('LEAD', used));
      assert.deepEqual([statement.largest, statement.minimum], [largest, 100]);
      assert.deepEqual([statement.testing, statement.review], [part(400, charged), none]);
    });
  }

  it('has the review share of a cancelled run returned, and no minimum', async () => {
    const run = await scene.workOnRun('STANDARD', { engineMs: MINUTE, requests: 0, modelMicrodollars: 0 });
    await scene.endRun(run, 'CANCELLED');
    const { minimum, testing, review } = await statementOf(run);
    assert.deepEqual([minimum, testing, review], [0, part(1_500, 9), part(500, 0)]);
  });

  it('has everything returned of a run that failed, or was cancelled before it started', async () => {
    const failed = await scene.workOnRun('STANDARD');
    await scene.endRun(failed, 'FAILED');
    const neverStarted = await scene.startRun('STANDARD');
    await scene.endRun(neverStarted, 'CANCELLED');
    for (const [run, outcome, started, largest] of [
      [failed, 'FAILED', true, 300],
      [neverStarted, 'CANCELLED', false, 0],
    ] as const) {
      const statement = await statementOf(run);
      assert.deepEqual([statement.outcome, statement.started, statement.largest], [outcome, started, largest]);
      assert.deepEqual([statement.testing, statement.review], [part(1_500, 0), part(500, 0)]);
    }
  });

  it('is not there before the run is over', async () => {
    const run = await scene.startRun();
    await assert.rejects(admin.run.statement({ run }), { ...missing, message: /is QUEUED.*"run show"/ });
    await scene.endRun(run, 'CANCELLED');
  });

  it('is not shown when the ledger says otherwise', async () => {
    const run = await scene.completeRun();
    await scene.test.database.queries
      .updateTable('charge_statement')
      .set({ testing_charged: 299 })
      .where('pentest_id', '=', run)
      .execute();
    await assert.rejects(admin.run.statement({ run }), /"charged":299.*the ledger says.*"charged":300/);
  });
});
