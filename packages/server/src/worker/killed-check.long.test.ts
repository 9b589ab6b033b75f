import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { createReviewScene, type ReviewScene } from '@sortie/testing/world/reviewed-runs.ts';
import { readConfig } from '../config/config.ts';
import { inTransaction } from '../db/database.ts';
import { pentestKind, takePentest } from '../pentests/pentests.ts';
import { createLog } from '../platform/log.ts';
import { fixedVaultKeys } from '../secrets/service-secrets.ts';
import type { WorkerContext } from './context.ts';
import { createScanEngine } from './scan-engine.ts';
import { workOnPentest } from './work-on-pentest.ts';

/** Every engine exceeds this limit at the first measurement. */
const TOO_LITTLE_MEGABYTES = 1;

let scene: ReviewScene;
/** Never responds, so that a check is still in progress when its engine is killed. */
const silent = net.createServer((socket) => void socket.on('error', () => undefined));
before(async () => {
  scene = await createReviewScene();
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
});
after(async () => {
  silent.close();
  await scene.end();
});

describe('an ownership check whose engine dies at every try', () => {
  it('counts as a death of the run’s engine, so that a target cannot end its run as our fault', async () => {
    const { database } = scene.test;
    const { port } = silent.address() as AddressInfo;
    const targetUrl = `http://127.0.0.1:${port}/`;
    const { verificationId } = await scene.admin.target.add({
      account: scene.owner.accountId,
      url: targetUrl,
      method: 'file',
    });
    const id = await scene.startRun('LEAD');
    await inTransaction(database, (tx) => pentestKind.enqueue(tx, id));
    const run = (await takePentest(database.queries, { owner: 'worker-1', leaseMs: 300_000 })) ?? assert.fail();
    assert.deepEqual([run.id, run.deaths], [id, 0]);
    const { worker: config, models, network } = readConfig({}, { SORTIE_ALLOW_ADDRESSES: '127.0.0.0/8' });
    const options = { user: undefined, memoryMegabytes: TOO_LITTLE_MEGABYTES };
    const engine = createScanEngine(options);
    const context: WorkerContext = {
      database,
      config,
      models,
      network,
      options,
      vaultKeys: fixedVaultKeys({ id: 'unused', key: createSecretKey(randomBytes(32)) }),
      lostVaultKeys: [],
      listenerKey: createSecretKey(randomBytes(32)),
      log: createLog('error'),
      scanEngine: engine,
      checkEngine: engine,
      owner: 'worker-1',
      chromium: null,
      browserTrial: { done: async () => undefined, stop: () => undefined },
      isStopping: () => false,
    };
    await workOnPentest(
      context,
      { ...run, verificationId, targetUrl },
      { isEnded: () => false, onEnd: () => undefined },
    );
    const { deaths, status } = await database.queries
      .selectFrom('pentest')
      .select(['deaths', 'status'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    assert.equal(deaths, 1);
    assert.notEqual(status, 'FAILED');
  });
});
