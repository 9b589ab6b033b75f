import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { onReviews } from '@sortie/testing/world/review-commands.ts';
import { createReviewScene, type ReviewScene } from '@sortie/testing/world/reviewed-runs.ts';
import { listAudit } from '../audit/audit.ts';
import { checkInvariants, findHold } from '../credits/credits.ts';
import { AppError } from '../errors/app-error.ts';
import { reviewStates } from './review.ts';

let scene: ReviewScene;
before(async () => {
  scene = await createReviewScene();
});
after(() => scene.end());

const { take, edit, exclude, note, signOff, reject, reopen } = onReviews(() => scene);

/** Resolves to everything that a command could have changed. */
async function snapshot(runId: string) {
  const { queries } = scene.test.database;
  const review = await queries.selectFrom('report_review').selectAll().where('pentest_id', '=', runId).execute();
  const findings = await queries
    .selectFrom('pentest_finding')
    .selectAll()
    .where('pentest_id', '=', runId)
    .orderBy('id')
    .execute();
  const run = await queries.selectFrom('pentest').selectAll().where('id', '=', runId).execute();
  const statement = await queries.selectFrom('charge_statement').selectAll().where('pentest_id', '=', runId).execute();
  const [latest] = await listAudit(queries, { limit: 1 });
  return { review, findings, run, statement, hold: await findHold(queries, runId), audit: latest?.id };
}

const preparations = {
  WAITING: async () => scene.completeRun(),
  TAKEN: async () => {
    const runId = await scene.completeRun();
    await take(runId, 'ada');
    return runId;
  },
  REJECTED: async () => {
    const runId = await preparations.TAKEN();
    await reject(runId, 'ada');
    return runId;
  },
  SIGNED_OFF: async () => {
    const runId = await preparations.TAKEN();
    await signOff(runId, 'ada');
    return runId;
  },
};

const notTaken = 'FORBIDDEN run: Take it first';
const isRejected = 'FORBIDDEN run: Reopen it first';
const isFinal = 'FORBIDDEN run: That is final';
const notTheirs = 'FORBIDDEN reviewer: To take it over';
const onlyOfTaken = { WAITING: notTaken, REJECTED: isRejected, SIGNED_OFF: isFinal };
const never = { ...onlyOfTaken, TAKEN: notTheirs };

type State = (typeof reviewStates)[number];

/** The state and the reviewer after the command; `unchanged` if nothing changes; or the refusal. */
const outcomes: Record<string, Record<State, string> & { run: (runId: string) => Promise<unknown> }> = {
  'take by Ada': {
    run: (id) => take(id, 'ada'),
    WAITING: 'TAKEN ada',
    TAKEN: 'unchanged',
    REJECTED: isRejected,
    SIGNED_OFF: isFinal,
  },
  'take by Ben': {
    run: (id) => take(id, 'ben'),
    WAITING: 'TAKEN ben',
    TAKEN: notTheirs,
    REJECTED: isRejected,
    SIGNED_OFF: isFinal,
  },
  'take by Ben with force': {
    run: (id) => take(id, 'ben', true),
    WAITING: 'TAKEN ben',
    TAKEN: 'TAKEN ben',
    REJECTED: isRejected,
    SIGNED_OFF: isFinal,
  },
  'edit by Ada': { run: (id) => edit(id, 'ada'), ...onlyOfTaken, TAKEN: 'TAKEN ada' },
  'edit by Ben': { run: (id) => edit(id, 'ben'), ...never },
  'edit by nobody named': { run: (id) => edit(id), ...onlyOfTaken, TAKEN: 'TAKEN ada' },
  'exclude by Ada': { run: (id) => exclude(id, 'ada'), ...onlyOfTaken, TAKEN: 'TAKEN ada' },
  'exclude by Ben': { run: (id) => exclude(id, 'ben'), ...never },
  'exclude by nobody named': { run: (id) => exclude(id), ...onlyOfTaken, TAKEN: 'TAKEN ada' },
  'undo of no exclusion by Ada': { run: (id) => exclude(id, 'ada', false), ...onlyOfTaken, TAKEN: 'unchanged' },
  'undo of no exclusion by Ben': { run: (id) => exclude(id, 'ben', false), ...never },
  'note by Ben': {
    run: (id) => note(id, 'ben'),
    WAITING: 'WAITING nobody',
    TAKEN: 'TAKEN ada',
    REJECTED: 'REJECTED ada',
    SIGNED_OFF: 'SIGNED_OFF ada',
  },
  'note by nobody named': {
    run: (id) => note(id),
    WAITING: 'WAITING nobody',
    TAKEN: 'TAKEN ada',
    REJECTED: 'REJECTED ada',
    SIGNED_OFF: 'SIGNED_OFF ada',
  },
  'sign-off by Ada': {
    run: (id) => signOff(id, 'ada'),
    ...onlyOfTaken,
    TAKEN: 'SIGNED_OFF ada',
    SIGNED_OFF: 'unchanged',
  },
  'sign-off by Ben': { run: (id) => signOff(id, 'ben'), ...never, SIGNED_OFF: 'unchanged' },
  'sign-off by nobody named': {
    run: (id) => signOff(id),
    ...onlyOfTaken,
    TAKEN: 'SIGNED_OFF ada',
    SIGNED_OFF: 'unchanged',
  },
  'reject by Ada': { run: (id) => reject(id, 'ada'), ...onlyOfTaken, TAKEN: 'REJECTED ada' },
  'reject by Ben': { run: (id) => reject(id, 'ben'), ...never },
  'reject by nobody named': { run: (id) => reject(id), ...onlyOfTaken, TAKEN: 'REJECTED ada' },
  reopen: {
    run: (id) => reopen(id),
    WAITING: 'FORBIDDEN run: There is nothing to reopen',
    TAKEN: 'FORBIDDEN run: There is nothing to reopen',
    REJECTED: 'WAITING nobody',
    SIGNED_OFF: isFinal,
  },
};

async function assertRefused(work: Promise<unknown>, refusal: string): Promise<void> {
  const [, code, field, hint = ''] = /^(\S+) (\S+): (.*)$/.exec(refusal) ?? [];
  await assert.rejects(work, (error: unknown) => {
    assert.ok(error instanceof AppError, String(error));
    assert.deepEqual([error.code, error.field], [code, field]);
    assert.ok(error.message.includes(hint), error.message);
    return true;
  });
}

const nameOf = (id: string | null) => ({ [scene.ada]: 'ada', [scene.ben]: 'ben' })[id ?? ''] ?? 'nobody';

async function assertMoved(runId: string, expected: string, earlier: Awaited<ReturnType<typeof snapshot>>) {
  const now = await snapshot(runId);
  const [review] = now.review;
  assert.equal(`${review?.state} ${nameOf(review?.reviewer_id ?? null)}`, expected);
  assert.notEqual(now.audit, earlier.audit, 'the change is in the audit log');
}

for (const state of reviewStates) {
  describe(`a report that is ${state}${state === 'WAITING' ? '' : ' (Ada)'}`, () => {
    for (const [name, { run, ...expected }] of Object.entries(outcomes)) {
      it(`${name}: ${expected[state]}`, async () => {
        const runId = await preparations[state]();
        const earlier = await snapshot(runId);
        const isRefused = expected[state].includes(':');
        if (isRefused) await assertRefused(run(runId), expected[state]);
        else await run(runId);
        const isSame = isRefused || expected[state] === 'unchanged';
        if (isSame) assert.deepEqual(await snapshot(runId), earlier);
        else await assertMoved(runId, expected[state], earlier);
        assert.deepEqual(await checkInvariants(scene.test.database.queries), []);
      });
    }
  });
}

describe('a run without a review', () => {
  const kinds = {
    'of a level without expert review': () => scene.completeRun('LEAD'),
    'that is not over': () => scene.startRun(),
    'that was cancelled': async () => {
      const runId = await scene.workOnRun();
      await scene.endRun(runId, 'CANCELLED');
      return runId;
    },
    'that failed': async () => {
      const runId = await scene.workOnRun();
      await scene.endRun(runId, 'FAILED');
      return runId;
    },
  };
  for (const [kind, prepare] of Object.entries(kinds)) {
    it(`is refused by every command when it is one ${kind}`, async () => {
      const runId = await prepare();
      const earlier = await snapshot(runId);
      for (const { run } of Object.values(outcomes)) {
        await assert.rejects(run(runId), { name: 'AppError', code: 'NOT_FOUND', message: /has no review/ });
      }
      assert.deepEqual(await snapshot(runId), earlier);
      // So that it neither affects later tests nor exceeds the account's limit.
      if (kind === 'that is not over') await scene.endRun(runId, 'CANCELLED');
    });
  }

  it('is not found when there is no such run', async () => {
    for (const { run } of Object.values(outcomes)) {
      await assert.rejects(run('pen_none'), { name: 'AppError', code: 'NOT_FOUND', message: /sortie admin run list/ });
    }
  });
});
