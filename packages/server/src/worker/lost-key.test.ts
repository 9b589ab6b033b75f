import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { after, before, it } from 'node:test';
import { createReviewScene, type ReviewScene } from '@sortie/testing/world/reviewed-runs.ts';
import { sealDescription } from '../credentials/credentials.ts';
import { inTransaction } from '../db/database.ts';
import { pentestKind, takePentest } from '../pentests/pentests.ts';
import type { VaultKeys } from '../secrets/service-secrets.ts';
import { failRun } from './give-up.ts';
import { prepareOrder } from './pentest-order.ts';

let scene: ReviewScene;
before(async () => {
  scene = await createReviewScene();
});
after(() => scene.end());

function newKeys(id: string): VaultKeys {
  const current = { id, key: createSecretKey(randomBytes(32)) };
  return { current, find: (wanted) => (wanted === id ? current : undefined), all: () => [current] };
}

it('a run whose API description is encrypted with a lost key ends with what to do, free of charge', async () => {
  const { database } = scene.test;
  const runId = await scene.startRun('LEAD');
  await inTransaction(database, (tx) => pentestKind.enqueue(tx, runId));
  const run = (await takePentest(database.queries, { owner: 'worker', leaseMs: 3_600_000 })) ?? assert.fail();
  const { accountId, verificationId } = run;
  const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'x', version: '1' }, paths: {} });
  const seal = (owner: { runId: string } | { verificationId: string; name: string }) =>
    inTransaction(database, (tx) => sealDescription(tx, newKeys('lost'), { accountId, owner, text }));
  const prepare = async (lostVaultKeys = ['lost']) => {
    const network = {} as Parameters<typeof prepareOrder>[0]['network'];
    const listenerKey = createSecretKey(randomBytes(32));
    const ordering = { database, listenerKey, owner: 'worker', network, chromium: null, config: { sandbox: 'off' } };
    const order = await prepareOrder(
      { ...ordering, vaultKeys: newKeys('new'), lostVaultKeys } as Parameters<typeof prepareOrder>[0],
      run,
      null,
    );
    return order && 'obstacle' in order && order.isOurFault ? order.obstacle : undefined;
  };
  assert.equal(await prepare(), undefined);
  await seal({ runId });
  assert.match(
    (await prepare()) ?? '',
    /^The API description of this run cannot be opened: .* is lost\. Start it again/,
  );
  await assert.rejects(prepare([]), { name: 'VaultKeyMissing' }, 'another node may have the key');
  await seal({ verificationId, name: 'shop.json' });
  assert.match(
    (await prepare()) ?? '',
    new RegExp(
      `^The API description imported for this target cannot .* "sortie admin target import ${verificationId} FILE"`,
    ),
  );
  await database.queries.updateTable('pentest').set({ status: 'WEB_TEST' }).where('id', '=', runId).execute();
  await failRun(database, run, 'lost');
  const { status, state } = await database.queries
    .selectFrom('pentest')
    .innerJoin('credit_hold', 'credit_hold.run_id', 'pentest.id')
    .select(['pentest.status', 'credit_hold.state'])
    .where('pentest.id', '=', runId)
    .executeTakeFirstOrThrow();
  assert.deepEqual([status, state], ['FAILED', 'RETURNED']);
});
