import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { createReviewScene, type ReviewScene } from '@sortie/testing/world/reviewed-runs.ts';
import { inTransaction } from '../db/database.ts';
import { returnLease } from '../jobs/leases.ts';
import { takePentest } from '../pentests/pentests.ts';
import { SealError } from '../secrets/sealing.ts';
import { fixedVaultKeys } from '../secrets/service-secrets.ts';
import { openForEngine, sealCredentials } from './credentials.ts';

const vaultKeys = fixedVaultKeys({ id: 'vault-1', key: createSecretKey(randomBytes(32)) });
const credentials = [{ name: 'customer', user: 'customer@example.com', pass: 'the password of the customer' }];

let scene: ReviewScene;
before(async () => {
  scene = await createReviewScene();
});
after(() => scene.end());

/** Creates a run that worker-1 holds in the first epoch. */
async function workOnRun(given = credentials) {
  const runId = await scene.workOnRun();
  const { accountId } = scene.owner;
  await inTransaction(scene.test.database, (tx) =>
    sealCredentials(tx, vaultKeys, { accountId, runId, credentials: given }),
  );
  return { accountId, runId, verificationId: 'ver_none', epoch: 1, worker: 'worker-1' };
}

type Use = Awaited<ReturnType<typeof workOnRun>>;

const open = (use: Use, keys = vaultKeys) => openForEngine(scene.test.database, keys, use);
const usesOf = ({ runId }: Use) =>
  scene.test.database.queries
    .selectFrom('credential_use')
    .select(['purpose', 'actor', 'epoch'])
    .where('run_id', '=', runId)
    .orderBy('id')
    .execute();

describe('test accounts for the engine', () => {
  it('are opened for the worker that has the run, each time written down', async () => {
    const use = await workOnRun();
    for (const times of [1, 2]) {
      const [opened] = (await open(use))?.credentials ?? [];
      assert.deepEqual([opened?.name, opened?.pass.reveal()], ['customer', credentials[0]?.pass]);
      assert.deepEqual(await usesOf(use), Array(times).fill({ purpose: 'ENGINE', actor: 'worker-1', epoch: 1 }));
    }
  });

  it('are not opened in another epoch, for another account or for another run', async () => {
    const use = await workOnRun();
    for (const wrong of [{ epoch: 0 }, { epoch: 2 }, { accountId: 'acc_other' }, { runId: 'pen_other' }]) {
      assert.equal(await open({ ...use, ...wrong }), undefined, JSON.stringify(wrong));
    }
    assert.deepEqual(await usesOf(use), []);
  });

  it('are not opened for the former worker once another has taken the run', async () => {
    const use = await workOnRun();
    const { queries } = scene.test.database;
    await returnLease(queries, 'pentest', { id: use.runId, epoch: 1 });
    const lease = await takePentest(queries, { owner: 'worker-2', leaseMs: 60_000 });
    assert.deepEqual([lease?.id, lease?.epoch], [use.runId, 2]);
    assert.equal(await open(use), undefined);
    assert.equal((await open({ ...use, epoch: 2, worker: 'worker-2' }))?.credentials.length, 1);
    assert.deepEqual(await usesOf(use), [{ purpose: 'ENGINE', actor: 'worker-2', epoch: 2 }]);
  });

  for (const outcome of ['COMPLETED', 'FAILED', 'CANCELLED'] as const) {
    it(`are not opened once the run is ${outcome}`, async () => {
      const use = await workOnRun();
      await scene.endRun(use.runId, outcome);
      for (const epoch of [1, 2]) assert.equal(await open({ ...use, epoch }), undefined);
      assert.deepEqual(await usesOf(use), []);
    });
  }

  it('are an empty list, and no use, for a run without any', async () => {
    const use = await workOnRun([]);
    assert.deepEqual(await open(use), { credentials: [], descriptions: [] });
    assert.deepEqual(await usesOf(use), []);
  });

  it('are no use when they do not open', async () => {
    const use = await workOnRun();
    const others = fixedVaultKeys({ id: 'vault-1', key: createSecretKey(randomBytes(32)) });
    await assert.rejects(open(use, others), SealError);
    assert.deepEqual(await usesOf(use), []);
  });

  it('leave uses that nobody can change', async () => {
    const use = await workOnRun();
    await open(use);
    for (const change of ['delete from credential_use', "update credential_use set actor = 'nobody'"]) {
      await assert.rejects(scene.test.database.pool.query(change), /append-only/);
    }
  });
});
