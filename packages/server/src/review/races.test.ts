import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { onReviews, seenByOwner } from '@sortie/testing/world/review-commands.ts';
import { createReviewScene, type ReviewScene } from '@sortie/testing/world/reviewed-runs.ts';
import { listAudit } from '../audit/audit.ts';
import { checkInvariants } from '../credits/credits.ts';
import { AppError } from '../errors/app-error.ts';
import { readReport } from './review.ts';

const ROUNDS = 12;

let scene: ReviewScene;
before(async () => {
  scene = await createReviewScene();
});
after(() => scene.end());

const { take, edit, exclude, signOff, reject } = onReviews(() => scene);
const report = (runId: string) => readReport(scene.test.database.queries, runId);

async function completeAndTake(): Promise<string> {
  const runId = await scene.completeRun();
  await take(runId, 'ada');
  return runId;
}

/** Runs the commands concurrently, and resolves to whether each succeeded. Only our own refusals count as failures. */
async function race(...commands: (() => Promise<unknown>)[]): Promise<boolean[]> {
  const ends = await Promise.allSettled(commands.map((command) => command()));
  return ends.map((end) => {
    if (end.status === 'rejected') assert.ok(end.reason instanceof AppError, String(end.reason));
    return end.status === 'fulfilled';
  });
}

/** Resolves to the audit actions on a run's review, oldest first. */
async function actionsOn(runId: string): Promise<string[]> {
  const entries = await listAudit(scene.test.database.queries, { limit: 20 });
  return entries
    .filter(({ subject }) => subject === runId)
    .map(({ action }) => action)
    .reverse();
}

/** Alternates the order, so that neither command always comes first. */
const inTurn = <T>(round: number, one: T, other: T) => (round % 2 === 0 ? [one, other] : [other, one]) as [T, T];

describe('at the same time', () => {
  it('two reviewers take a report: one has it, the other is refused', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const runId = await scene.completeRun();
      const names = inTurn(round, 'ada' as const, 'ben' as const);
      const wins = await race(...names.map((who) => () => take(runId, who)));
      assert.equal(wins.filter(Boolean).length, 1);
      const winner = wins[0] ? names[0] : names[1];
      assert.equal((await report(runId)).reviewerId, scene[winner]);
      assert.deepEqual(await actionsOn(runId), ['review.taken']);
    }
  });

  it('a report is signed off and rejected: exactly one of them happens', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const runId = await completeAndTake();
      const commands = inTurn(
        round,
        () => signOff(runId),
        () => reject(runId) as Promise<unknown>,
      );
      const wins = await race(...commands);
      assert.equal(wins.filter(Boolean).length, 1);
      const isSignedOff = wins[round % 2] === true;
      const { state } = await report(runId);
      const { pentest } = await seenByOwner(scene, runId);
      assert.deepEqual(
        [state, pentest.reportReleased, pentest.credits.state],
        isSignedOff ? ['SIGNED_OFF', true, 'CHARGED'] : ['REJECTED', false, 'RESERVED'],
      );
      assert.deepEqual(await actionsOn(runId), ['review.taken', isSignedOff ? 'review.signed-off' : 'review.rejected']);
    }
    assert.deepEqual(await checkInvariants(scene.test.database.queries), []);
  });

  it('a report is signed off five times: once', async () => {
    const runId = await completeAndTake();
    const answers = await Promise.all(Array.from({ length: 5 }, () => signOff(runId)));
    assert.equal(answers.filter(({ changed }) => changed).length, 1);
    const { usage } = (await seenByOwner(scene, runId)).usage;
    const charges = usage.filter(
      ({ pentestId, type, part }) => pentestId === runId && type === 'CHARGE' && part === 'review',
    );
    assert.deepEqual(
      charges.map(({ credits }) => credits),
      [-500],
    );
    assert.deepEqual(await checkInvariants(scene.test.database.queries), []);
  });

  it('a report is edited and signed off: what is released does not change any more', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const runId = await completeAndTake();
      const [edited, excluded] = await race(
        () => edit(runId),
        () => exclude(runId),
        () => signOff(runId),
      );
      const { decidedAt, findings: reviewed } = await report(runId);
      const { editedAt = null, excludedAt = null } = reviewed[0] ?? {};
      assert.deepEqual([editedAt !== null, excludedAt !== null], [edited, excluded]);
      for (const changedAt of [editedAt, excludedAt]) assert.ok(!changedAt || !decidedAt || changedAt <= decidedAt);
      const { findings } = await seenByOwner(scene, runId);
      assert.equal(findings.total, excluded ? 2 : 3);
    }
  });

  it('a report is taken over and signed off by the one who had it: exactly one of them happens', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const runId = await completeAndTake();
      const commands = inTurn(
        round,
        () => take(runId, 'ben', true) as Promise<unknown>,
        () => signOff(runId, 'ada'),
      );
      const wins = await race(...commands);
      assert.equal(wins.filter(Boolean).length, 1);
      const { state, reviewerId } = await report(runId);
      const isTakenOver = wins[round % 2] === true;
      assert.deepEqual([state, reviewerId], isTakenOver ? ['TAKEN', scene.ben] : ['SIGNED_OFF', scene.ada]);
    }
  });
});
