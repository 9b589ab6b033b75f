import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createReviewScene, type ReviewScene } from '@sortie/testing/world/reviewed-runs.ts';
import { serviceNow } from '../db/database.ts';
import { readConsent } from './targets.ts';

let scene: ReviewScene;
before(async () => {
  scene = await createReviewScene();
});
after(() => scene.end());

const consentTo = (runId: string) => readConsent(scene.test.database.queries, runId);
const countConsents = async () =>
  (await scene.test.database.pool.query('select count(*)::integer as count from consent')).rows[0].count;

describe('the consent to a run', () => {
  it('says who gave it, when, with which key and verification, and by which rules', async () => {
    const { verificationId } = scene.target;
    const contact = 'Ada, +44 20 7946 0000';
    const exclude = ['/admin', '/logout'];
    await scene.admin.target.rules({ id: verificationId, exclude, rate: '5', window: '22:00-06:00', contact });
    const runId = await scene.startRun();
    const { createdAt, apiKeyId, ...consent } = (await consentTo(runId)) ?? {};
    assert.deepEqual(consent, {
      userId: scene.owner.userId,
      verificationId,
      rules: {
        excludedPaths: exclude,
        requestsPerSecond: 5,
        window: { from: '22:00', to: '06:00' },
        emergencyContact: contact,
      },
    });
    const [key] = (await scene.admin.key.list({ account: scene.owner.accountId })).keys;
    assert.ok(apiKeyId && apiKeyId === key?.id);
    const now = await serviceNow(scene.test.database.queries);
    assert.ok(createdAt && Math.abs(createdAt.getTime() - now.getTime()) < 60_000);
  });

  it('keeps the rules of its moment, whatever becomes of them later', async () => {
    const { verificationId: id } = scene.target;
    await scene.admin.target.rules({ id, clear: true, rate: '5' });
    const [before, , after] = [
      await scene.startRun(),
      await scene.admin.target.rules({ id, rate: '9' }),
      await scene.startRun(),
    ];
    assert.equal((await consentTo(before))?.rules.requestsPerSecond, 5);
    assert.equal((await consentTo(after))?.rules.requestsPerSecond, 9);
  });

  it('is there for each run that was started, and for none that was refused', async () => {
    const count = await countConsents();
    const { verificationId: id } = scene.target;
    await scene.startRun();
    assert.equal(await countConsents(), count + 1);
    await scene.admin.target.apiRuns({ id, state: 'off' });
    await assert.rejects(scene.startRun(), { code: 'TARGET_API_RUNS_DISABLED' });
    assert.equal(await countConsents(), count + 1);
    await scene.admin.target.apiRuns({ id, state: 'on' });
    assert.equal(await consentTo('pen_none'), undefined);
  });
});
