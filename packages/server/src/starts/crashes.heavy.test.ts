import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Fault, PlannedFault, planFault, stepDatabase } from '@sortie/testing/database/stepped-database.ts';
import {
  assertFailed,
  assertInProgress,
  assertStarted,
  createFakeScene,
  type FakeScene,
  type FakeStart,
  fail,
  failHandOver,
  GIVEN_UP,
  HOLD,
  type Outcome,
  readFakeRuns,
  readOnlyRun,
  startFake,
  sweepFakes,
} from '@sortie/testing/idempotency/fake-starts.ts';
import { isFull } from '@sortie/testing/runner/test-size.ts';

let scene: FakeScene;
let key: string;

before(async () => {
  scene = await createFakeScene();
});
after(() => scene.end());

beforeEach(() => {
  key = randomUUID();
});

const pass = (milliseconds: number) => scene.pass(milliseconds);
const start = (options?: FakeStart) => startFake(scene, key, options);
const sweep = () => sweepFakes(scene.database);
const runs = () => readFakeRuns(scene.database, key);
const onlyRun = () => readOnlyRun(scene.database, key);

/** Starts a run on a database that fails as planned. Resolves to the outcome and the statements that were sent. */
async function startWith(fault?: Fault): Promise<{ outcome: Outcome; sent: string[] }> {
  const steps = planFault(fault);
  const outcome = await startFake({ ...scene, database: stepDatabase(scene.database, steps) }, key);
  return { outcome, sent: steps.sent };
}

/** Calls `judge` for each statement with each kind of failure, in `npm test` with one kind after another. */
async function forEachFault(statements: readonly string[], judge: (fault: Fault) => Promise<void>): Promise<void> {
  for (const [index, text] of statements.entries()) {
    for (const when of ['before it is sent', 'when its answer is lost'] as const) {
      for (const isCrash of [false, true]) {
        if (!isFull && (index % 2 === 0) === isCrash) continue;
        key = randomUUID();
        await judge({ statement: index + 1, when, isCrash }).catch((cause) => {
          const what = `${isCrash ? 'a crash' : 'a failure'} at statement ${index + 1}, ${when}`;
          throw new Error(`${what}: ${text}: ${cause.message}`, { cause });
        });
      }
    }
  }
}

describe('a start that fails at any statement', () => {
  let statements: string[];

  before(async () => {
    key = randomUUID();
    ({ sent: statements } = await startWith());
    // Find a run to take over; claim; begin, lock, run, claim, commit; begin, enqueue, response, claim, commit.
    assert.equal(statements.length, 12, statements.join('\n'));
  });

  const isClaim = ({ statement }: Fault) => statement === 2;
  const isClaimed = ({ statement, when }: Fault) => statement > 2 || (statement === 2 && when !== 'before it is sent');
  const isDone = ({ statement, when }: Fault) => statement === statements.length && when === 'when its answer is lost';

  /** Asserts the response to a retry that does not wait. */
  async function assertTooEarly(fault: Fault): Promise<boolean> {
    if (isDone(fault)) assertStarted(await start(), 'replayed');
    else if (!isClaimed(fault)) assertStarted(await start(), 'started');
    else {
      // The database does not know that the attempt failed if it crashed, or if the attempt does not know that it has a
      // claim.
      assertInProgress(await start(), fault.isCrash || isClaim(fault) ? 1 : HOLD / 1_000);
      return true;
    }
    return false;
  }

  it('has exactly one run after a retry that waits, and every answer tells of it', async () => {
    await forEachFault(statements, async (fault) => {
      const { outcome } = await startWith(fault);
      assert.ok(outcome.end === 'failed' && outcome.error instanceof PlannedFault, JSON.stringify(outcome));
      if (await assertTooEarly(fault)) {
        const isCreated = (await runs()).length > 0;
        await pass(HOLD);
        assertStarted(await start(), isCreated ? 'replayed' : 'started');
      }
      const { id } = assertStarted(await start(), 'replayed');
      assert.deepEqual(await onlyRun(), { id, status: 'QUEUED', body: 'body', handedOver: 1 });
    });
  });

  for (const isSwept of [true, false]) {
    it(`is given up after five minutes, ${isSwept ? 'by the sweep' : 'by the retry'}, if the run was created`, async () => {
      await forEachFault(statements, async (fault) => {
        await startWith(fault);
        const [created] = await runs();
        await pass(GIVEN_UP);
        if (isSwept) await sweep();
        const isGivenUp = created !== undefined && !isDone(fault);
        const outcome = await start();
        const { id } = assertStarted(outcome, created ? 'replayed' : 'started', isGivenUp ? 'FAILED' : 'QUEUED');
        const expected = isGivenUp ? { status: 'FAILED', handedOver: 0 } : { status: 'QUEUED', handedOver: 1 };
        assert.deepEqual(await onlyRun(), { id, body: 'body', ...expected });
      });
    });
  }

  const failures: [string, FakeStart, number][] = [
    ['nothing was created', { beforeCreate: fail }, HOLD],
    ['the run was created', failHandOver, HOLD],
    ['the run was created more than five minutes ago', failHandOver, GIVEN_UP],
  ];
  for (const [what, options, wait] of failures) {
    it(`when it takes over from one after which ${what}, has one run in the end`, async () => {
      assertFailed(await start(options));
      await pass(wait);
      const { sent } = await startWith();
      const expected = { ...(await onlyRun()), id: '' };
      await forEachFault(sent, async (fault) => {
        assertFailed(await start(options));
        await pass(wait);
        const { outcome } = await startWith(fault);
        assert.equal(outcome.end, 'failed');
        await pass(HOLD);
        const end = (await runs()).length > 0 ? 'replayed' : 'started';
        const { id } = assertStarted(await start(), end, expected.status);
        assert.deepEqual(await onlyRun(), { ...expected, id });
      });
    });
  }
});

describe('a sweep that fails at any statement', () => {
  it('leaves the run as it was or given up, and the next one ends it', async () => {
    const sweepWith = async (fault?: Fault) => {
      const steps = planFault(fault);
      await sweepFakes(stepDatabase(scene.database, steps)).catch(() => undefined);
      return steps.sent;
    };
    const prepare = async () => {
      assertFailed(await start(failHandOver));
      await pass(GIVEN_UP);
    };
    await prepare();
    await forEachFault(await sweepWith(), async (fault) => {
      await prepare();
      await sweepWith(fault);
      await sweep();
      const run = await onlyRun();
      assert.deepEqual([run.status, run.handedOver], ['FAILED', 0]);
      assert.equal(assertStarted(await start(), 'replayed', 'FAILED').id, run.id);
    });
  });
});
