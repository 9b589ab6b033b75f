import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createReviewScene, type ReviewScene } from '@sortie/testing/world/reviewed-runs.ts';
import { type Database, inTransaction, openDatabase, type Queries } from '../db/database.ts';
import { freeLease } from '../jobs/leases.ts';
import { pentestKind, type TakenPentest, takePentest } from '../pentests/pentests.ts';
import { createLog } from '../platform/log.ts';
import { fillSlots } from './run-slots.ts';

/** Long enough for a busy machine: a worker that misses its heartbeats for most of it loses the run. */
const LEASE_MS = 5_000;

let scene: ReviewScene;
before(async () => {
  scene = await createReviewScene();
});
after(() => scene.end());

const take = (queries: Queries, leaseMs = LEASE_MS) => takePentest(queries, { owner: 'a worker', leaseMs });

/** In one transaction, so that the first worker cannot extend its lease in between. */
const takeOver = (run: TakenPentest) =>
  inTransaction(scene.test.database, async (tx) => {
    await freeLease(tx, 'pentest', run);
    assert.equal((await take(tx, 60_000))?.id, run.id);
  });

/** Starts a node that works on one run until it is ended. Resolves to `isLost` as passed to `onEnd`. */
async function workUntilEnded(
  database: Database,
  meanwhile: (run: TakenPentest, node: { stop(): Promise<void> }) => Promise<unknown>,
  leaseMs = LEASE_MS,
): Promise<boolean> {
  const id = await scene.startRun();
  await inTransaction(scene.test.database, (tx) => pentestKind.enqueue(tx, id));
  const taken = Promise.withResolvers<TakenPentest>();
  const ended = Promise.withResolvers<boolean>();
  const node = fillSlots<TakenPentest>({
    queries: database.queries,
    table: 'pentest',
    count: 1,
    leaseMs,
    log: createLog('error'),
    take: () => take(database.queries, leaseMs),
    async work(run, work) {
      work.onEnd(ended.resolve);
      taken.resolve(run);
      await ended.promise;
    },
  });
  const run = await taken.promise;
  assert.equal(run.id, id);
  await meanwhile(run, node);
  const isLost = await ended.promise;
  await node.stop();
  await scene.endRun(id, 'CANCELLED').catch(() => undefined);
  return isLost;
}

describe('work on a run', () => {
  it('that was cancelled is ended, and nobody else has the run', async () => {
    assert.equal(await workUntilEnded(scene.test.database, ({ id }) => scene.endRun(id, 'CANCELLED')), false);
  });

  it('that somebody else has taken is ended as lost', async () => {
    assert.equal(await workUntilEnded(scene.test.database, takeOver), true);
  });

  it('that was ended in the hands of somebody else is ended as lost', async () => {
    const takeOverAndEnd = async (run: TakenPentest) => {
      await takeOver(run);
      await scene.endRun(run.id, 'CANCELLED');
    };
    assert.equal(await workUntilEnded(scene.test.database, takeOverAndEnd), true);
  });

  it('whose node stops is ended, and nobody else has the run', async () => {
    assert.equal(await workUntilEnded(scene.test.database, (_run, node) => node.stop()), false);
  });

  it('of a node that cannot reach the database any more is ended as lost', async () => {
    const database = openDatabase(scene.test.connection);
    assert.equal(await workUntilEnded(database, () => database.close(), 500), true);
  });
});
