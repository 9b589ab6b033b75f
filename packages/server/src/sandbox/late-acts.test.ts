import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createRandom, type Gate, interleave } from '@sortie/testing/database/interleaving.ts';
import { stepDatabase } from '@sortie/testing/database/stepped-database.ts';
import { waitFor } from '@sortie/testing/server/up.ts';
import { createReviewScene, type ReviewScene } from '@sortie/testing/world/reviewed-runs.ts';
import { keepMoves, movesOf } from '@sortie/testing/world/status-moves.ts';
import { checkInvariants } from '../credits/credits.ts';
import { type Database, inTransaction, type Transaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import { endRun, enterPhase, pentestKind } from '../pentests/pentests.ts';
import { play } from './play.ts';
import { playDueAct } from './player.ts';
import { type DueStory, insertStory, takeDueStories, updateStatus } from './store.ts';
import { stories } from './stories.ts';

const seed = Number(process.env.SORTIE_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));

let scene: ReviewScene;
before(async () => {
  scene = await createReviewScene();
  await keepMoves({ testDatabase: scene.test });
});
after(() => scene.end());

const queries = () => scene.test.database.queries;
const actsOf = (story: string) => stories[story]?.pentest ?? assert.fail(story);

async function begin(story: string): Promise<DueStory> {
  const runId = await scene.startRun();
  await inTransaction(scene.test.database, async (tx) => {
    await pentestKind.enqueue(tx, runId);
    await insertStory(tx, { table: 'pentest', runId, story, afterMs: 0 });
  });
  const due = (await takeDueStories(queries())).find(({ id }) => id === runId);
  assert.ok(due);
  return due;
}

/** Runs work whose every statement waits for its turn. */
const step = (work: (database: Database) => Promise<unknown>) => async (gate: Gate) => {
  const before = (statement: string, connection: number) => gate(statement.trim().slice(0, 40), connection);
  await work(stepDatabase(scene.test.database, { before, after: () => Promise.resolve() }));
};

/** Plays a range of acts like a node, and retries those refused because another node was faster. */
async function tell(database: Database, due: DueStory, from: number, to = actsOf(due.story).length): Promise<void> {
  for (let position = from; position < to; position++) {
    await playDueAct(database, { ...due, position }).catch((error: unknown) => {
      assert.ok(error instanceof AppError, String(error));
      return playDueAct(database, { ...due, position });
    });
  }
}

async function movesOfRun(id: string): Promise<string[]> {
  const moves = await movesOf({ testDatabase: scene.test });
  return moves.filter(({ runId }) => runId === id).map(({ to }) => to);
}

/** Resolves to undefined if the story is over. */
async function positionOf({ id }: DueStory): Promise<number | undefined> {
  const told = queries().selectFrom('sandbox_run').select('position').where('run_id', '=', id);
  return (await told.executeTakeFirst())?.position;
}

const forget = ({ id }: DueStory) => queries().deleteFrom('sandbox_run').where('run_id', '=', id).execute();

async function isSomebodyWaiting(): Promise<boolean> {
  const { rows } = await scene.test.database.pool.query(
    `select 1 from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`,
  );
  return rows.length > 0;
}

const random = createRandom(seed);

describe('an act that a slow node plays', () => {
  for (const [who, { acts, goFurther, status }] of Object.entries({
    'another node goes on with the story': {
      acts: [0],
      goFurther: (tx: Transaction, due: DueStory) => enterPhase(tx, due, 'RECON'),
      status: 'RECON',
    },
    'another node shows what comes later': {
      acts: [0, 1],
      goFurther: (tx: Transaction, due: DueStory) => updateStatus(tx, due, { status: 'PAUSED' }),
      status: 'PAUSED',
    },
    'its owner cancels the run': {
      acts: [0, 1, 2, 3],
      goFurther: (tx: Transaction, { id }: DueStory) =>
        endRun(tx, { accountId: scene.owner.accountId, runId: id }, 'CANCELLED'),
      status: 'CANCELLED',
    },
  })) {
    it(`at the moment when ${who} sets no status back`, async () => {
      for (const position of acts) {
        const due = await begin('unknown-status');
        await play(scene.test.database, due, actsOf(due.story)[0] ?? assert.fail());
        let late: Promise<unknown> | undefined;
        await inTransaction(scene.test.database, async (tx) => {
          await goFurther(tx, due);
          late = tell(scene.test.database, due, position, position + 1);
          await waitFor(isSomebodyWaiting, { what: 'the slow node to wait for its turn' });
        });
        await late;
        assert.equal((await movesOfRun(due.id)).at(-1), status);
        await forget(due);
      }
    });
  }

  it('beside another node that plays it and the next one changes nothing of how the story is told', async () => {
    const story = 'unknown-status';
    for (const late of actsOf(story).keys()) {
      const due = await begin(story);
      await tell(scene.test.database, due, 0, late);
      const slow = step((database) => tell(database, due, late, late + 1));
      const fast = step((database) => tell(database, due, late, Math.min(late + 2, actsOf(story).length)));
      await interleave(scene.test.database.pool, [slow, fast], random);
      await tell(scene.test.database, due, late + 2);
      const what = `act ${late}, seed ${seed}`;
      assert.deepEqual(await movesOfRun(due.id), ['VERIFYING', 'RECON', 'CALIBRATION', 'COMPLETED'], what);
      const { review, meters } = await scene.admin.run.show({ run: due.id });
      assert.deepEqual([review?.state, meters.requests.used], ['SIGNED_OFF', 120], what);
      assert.equal(await positionOf(due), undefined, what);
    }
    assert.deepEqual(await checkInvariants(queries()), []);
  });

  it('to its end is not the end of a story that another goes on with', async () => {
    const due = await begin('unknown-status');
    const end = actsOf(due.story).findIndex(({ act }) => act === 'end');
    await tell(scene.test.database, due, 0, end);
    let slow: Promise<unknown> | undefined;
    await inTransaction(scene.test.database, async (tx) => {
      const { accountId } = scene.owner;
      assert.ok(await endRun(tx, { accountId, runId: due.id, epoch: due.epoch }, 'COMPLETED'));
      slow = tell(scene.test.database, due, end, end + 1);
      await waitFor(isSomebodyWaiting, { what: 'the slow node to wait for its turn' });
    });
    await slow;
    assert.equal(await positionOf(due), end + 1);
    await forget(due);
  });
});
