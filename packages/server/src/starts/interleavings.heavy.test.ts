import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { createRandom, type Gate, interleave } from '@sortie/testing/database/interleaving.ts';
import { type Fault, PlannedFault, planFault, stepDatabase } from '@sortie/testing/database/stepped-database.ts';
import {
  createFakeScene,
  type FakeScene,
  GIVEN_UP,
  HOLD,
  type Outcome,
  readOnlyRun,
  startFake,
  sweepFakes,
} from '@sortie/testing/idempotency/fake-starts.ts';
import { isFull } from '@sortie/testing/runner/test-size.ts';

const seed = Number(process.env.SORTIE_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));
const CALM_INTERLEAVINGS = isFull ? 100 : 12;
const WILD_INTERLEAVINGS = isFull ? 200 : 30;
const REQUESTS = 5;
/** More statements than any request sends, so that some planned faults never happen. */
const MOST_STATEMENTS = 14;
/**
 * About the number of statements of a request, so that some requests begin while others are in progress and some after
 * they are done.
 */
const LATEST_TURN = 15;

let scene: FakeScene;

before(async () => {
  scene = await createFakeScene();
});
after(() => scene.end());

type Random = (bound: number) => number;

interface Request {
  key: string;
  /** After how many turns of the other requests it begins. */
  delay: number;
  fault: Fault | undefined;
  outcome?: Outcome;
}

/** Runs a request whose every statement waits for its turn. */
function act(request: Request) {
  return async (gate: Gate) => {
    const faulty = planFault(request.fault);
    const steps = {
      ...faulty,
      async before(statement: string, connection: number) {
        await gate(statement.trim().slice(0, 40), connection);
        await faulty.before(statement, connection);
      },
    };
    for (let turn = 0; turn < request.delay; turn++) await gate('is on its way');
    request.outcome = await startFake({ ...scene, database: stepDatabase(scene.database, steps) }, request.key);
  };
}

function planAnyFault(random: Random): Fault {
  return {
    statement: 1 + random(MOST_STATEMENTS),
    when: random(2) === 0 ? 'before it is sent' : 'when its answer is lost',
    isCrash: random(2) === 0,
  };
}

/** Advances the time and runs the sweep between statements. */
const passTime = (random: Random) => async (gate: Gate) => {
  for (let i = 0; i < 4; i++) {
    await gate('time passes');
    await scene.pass([HOLD / 2, HOLD, GIVEN_UP][random(3)] ?? 0);
  }
};

const LOCK_NOT_AVAILABLE = '55P03';

const sweepNow = async (gate: Gate) => {
  const steps = {
    before: (statement: string, connection: number) => gate(`sweep ${statement.trim().slice(0, 30)}`, connection),
    after: () => Promise.resolve(),
  };
  await sweepFakes(stepDatabase(scene.database, steps)).catch((error) => {
    // A sweep gives up a lock after a short wait, and retries later.
    if (error.code !== LOCK_NOT_AVAILABLE) throw error;
  });
};

interface Played {
  requests: Request[];
  order: string[];
}

/** A calm round has no faults, and no time passes. */
async function play(number: number, isCalm: boolean): Promise<Played> {
  const random = createRandom(seed + number);
  const keys = [randomUUID(), randomUUID()].slice(0, 1 + random(2));
  const requests = Array.from({ length: REQUESTS }, (): Request => {
    const fault = !isCalm && random(2) === 0 ? planAnyFault(random) : undefined;
    return { key: keys[random(keys.length)] ?? '', delay: random(LATEST_TURN), fault };
  });
  const others = isCalm ? [] : [passTime(random), sweepNow, sweepNow];
  const order = await interleave(scene.database.pool, [...requests.map(act), ...others], random);
  return { requests, order };
}

/** Asserts that each failure is a planned one, and that all successful requests of a key get the same run. */
async function judge({ requests }: Played, isCalm: boolean): Promise<void> {
  for (const key of new Set(requests.map((request) => request.key))) {
    const outcomes = requests.filter((request) => request.key === key).map(({ outcome }) => outcome as Outcome);
    for (const outcome of outcomes) {
      assert.notEqual(outcome.end, 'reused');
      if (outcome.end === 'failed') assert.ok(outcome.error instanceof PlannedFault, String(outcome.error));
    }
    const started = outcomes.filter(({ end }) => end === 'started').length;
    if (isCalm) assert.equal(started, 1, 'one request starts the run');
    else assert.ok(started <= 1, 'no two requests start a run');
    await scene.pass(HOLD);
    const last = await startFake(scene, key);
    assert.ok(last.end === 'started' || last.end === 'replayed', JSON.stringify(last));
    const run = await readOnlyRun(scene.database, key);
    assert.deepEqual([run.handedOver, run.id], [run.status === 'FAILED' ? 0 : 1, last.id]);
    for (const outcome of outcomes) if ('text' in outcome) assert.equal(outcome.text, last.text);
  }
}

/** Counts the outcomes. An attempt that got a 409 after it had created its run was overtaken. */
function countEnds(played: readonly Played[]): Record<string, number> {
  const ends: Record<string, number> = {};
  for (const { outcome } of played.flatMap(({ requests }) => requests)) {
    if (!outcome) continue;
    const end = outcome.end === 'in progress' && outcome.hasCreated ? 'overtaken' : outcome.end;
    ends[end] = (ends[end] ?? 0) + 1;
  }
  return ends;
}

async function playAll(interleavings: number, isCalm: boolean): Promise<Record<string, number>> {
  const played: Played[] = [];
  for (let number = 0; number < interleavings; number++) {
    const one = await play(number, isCalm).catch((cause) => {
      throw new Error(`SORTIE_TEST_SEED=${seed}, interleaving ${number}`, { cause });
    });
    await judge(one, isCalm).catch((cause) => {
      const shown = `${one.order.join('\n')}\n${JSON.stringify(one.requests, null, 1)}`;
      throw new Error(`SORTIE_TEST_SEED=${seed}, interleaving ${number}: ${cause.message}\n${shown}`, { cause });
    });
    played.push(one);
  }
  return countEnds(played);
}

describe(`${REQUESTS} requests at once, statement by statement in any order`, () => {
  it('start one run for each key, and all are answered with it or told to come back', async (test) => {
    const ends = await playAll(CALM_INTERLEAVINGS, true);
    test.diagnostic(`seed ${seed}, ${CALM_INTERLEAVINGS} interleavings, ${JSON.stringify(ends)}`);
    assert.deepEqual(Object.keys(ends).sort(), ['in progress', 'replayed', 'started']);
  });

  it('start one run for each key also when requests fail and die, time passes and the sweep comes by', async (test) => {
    const ends = await playAll(WILD_INTERLEAVINGS, false);
    test.diagnostic(`seed ${seed}, ${WILD_INTERLEAVINGS} interleavings, ${JSON.stringify(ends)}`);
    assert.deepEqual(Object.keys(ends).sort(), ['failed', 'in progress', 'overtaken', 'replayed', 'started']);
  });

  it('come in the same order for the same seed', async () => {
    const orders = [await play(1, true), await play(1, true)].map(({ order }) => order);
    assert.deepEqual(orders[0], orders[1]);
  });
});
