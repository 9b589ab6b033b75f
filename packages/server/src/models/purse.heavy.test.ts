import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { createRandom, type Gate, interleave } from '@sortie/testing/database/interleaving.ts';
import { PlannedFault, planFault, stepDatabase } from '@sortie/testing/database/stepped-database.ts';
import { isFull } from '@sortie/testing/runner/test-size.ts';
import { createReviewScene, type ReviewScene } from '@sortie/testing/world/reviewed-runs.ts';
import { sql } from 'kysely';
import type { Price, Usage } from '../billing/model-price.ts';
import { costOf, worstCaseOf } from '../billing/model-price.ts';
import { type Database, inTransaction } from '../db/database.ts';
import type { Lease } from '../jobs/leases.ts';
import { endRun, pentestKind, saveStep, takePentest } from '../pentests/pentests.ts';
import { reserveCall, settleCall } from './purse.ts';

const seed = Number(process.env.SORTIE_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));
const random = createRandom(seed);
const rounds = isFull ? 120 : 3;
const names = isFull ? ['a', 'b', 'c'] : ['a', 'b'];

/** Longer than the test takes. */
const LEASE_MS = 3_600_000;

let scene: ReviewScene;
before(async () => {
  scene = await createReviewScene();
});
after(() => scene.end());
afterEach(endRuns);

/** The account may have ten runs at once. */
async function endRuns(): Promise<void> {
  const { database } = scene.test;
  const open = database.queries.selectFrom('pentest').select('id').where('completed_at', 'is', null);
  for (const { id: runId } of await open.execute()) {
    await inTransaction(database, (tx) => endRun(tx, { accountId: scene.owner.accountId, runId }, 'FAILED'));
  }
}

interface Round {
  runId: string;
  price: Price;
  budget: number;
  /** What the provider has billed: in an instant after the reservation and before the settlement. */
  billed: number;
  /** Answers that the customer's meter may contain, by fingerprint. */
  stored: Map<string, number>;
  reached: Record<string, number>;
}

const count = (round: Round, what: string) => {
  round.reached[what] = (round.reached[what] ?? 0) + 1;
};

async function startRound(reached: Record<string, number>): Promise<{ round: Round; lease: Lease }> {
  const { database } = scene.test;
  const runId = await scene.startRun('LEAD');
  const budget = 1 + random(60_000);
  await sql`update pentest set model_budget_microdollars = ${budget} where id = ${runId}`.execute(database.queries);
  await inTransaction(database, (tx) => pentestKind.enqueue(tx, runId));
  const price = { input: random(5_000_000), output: random(20_000_000), cachedInput: random(500_000) };
  return { round: { runId, price, budget, billed: 0, stored: new Map(), reached }, lease: await take(runId) };
}

async function take(runId: string): Promise<Lease> {
  const lease = await takePentest(scene.test.database.queries, { owner: 'worker', leaseMs: LEASE_MS });
  assert.equal(lease?.id, runId);
  return lease;
}

/** What the provider does with a call; its bill never exceeds the worst case. */
function ask(round: Round, inputTokens: number, mostOutput: number) {
  const usage: Usage = {
    inputTokens: random(inputTokens + 1),
    outputTokens: random(mostOutput + 1),
    cachedInputTokens: random(500),
    cacheWriteTokens: 0,
  };
  const outcome = random(5);
  if (outcome === 0) return { state: 'FAILED' } as const;
  round.billed += costOf(round.price, usage);
  if (outcome === 1) return { state: 'UNKNOWN' } as const;
  return { state: 'ANSWERED', usage: outcome === 2 ? undefined : usage, price: round.price, answer: 'yes' } as const;
}

async function call(database: Database, lease: Lease, round: Round, { fingerprint, gate }: CallPlan): Promise<void> {
  const [inputTokens, mostOutput] = [random(3_000), random(800)];
  const worstCase = worstCaseOf(round.price, inputTokens, mostOutput);
  const terms = { phase: 'WEB_TEST', specialist: `specialist-${random(3)}`, provider: 'test', model: 'm' } as const;
  const isClosing = random(6) === 0;
  const share = random(3) === 0 ? random(round.budget) : null;
  const wanted = { ...terms, fingerprint, promptVersion: '1', worstCase, isClosing, share };
  const reservation = await reserveCall(database, lease, wanted);
  count(round, reservation.kind === 'refused' ? reservation.reason : reservation.kind);
  if (reservation.kind !== 'reserved') return;
  await gate('the provider answers');
  const outcome = ask(round, inputTokens, mostOutput);
  await requireCovered(round);
  await gate('the outcome is stored');
  const { isStored, overrun } = await settleCall(database, lease, reservation.callId, outcome);
  assert.equal(overrun, 0);
  count(round, isStored ? outcome.state : 'stored too late');
}

/** At every bill, whatever others are in the middle of: the purse holds what the provider has billed so far. */
async function requireCovered({ runId, billed, budget }: Round): Promise<void> {
  const { spent, reserved } = await readPurse(runId);
  assert.ok(billed <= spent + reserved, `billed ${billed}, in the purse ${spent} + ${reserved}`);
  assert.ok(spent + reserved <= budget, `in the purse ${spent} + ${reserved} of ${budget}`);
}

interface CallPlan {
  fingerprint: string;
  gate: Gate;
}

/** Makes calls, every statement at its turn, until a crash at a random statement. */
function specialist(round: Round, lease: () => Lease, name: string) {
  return async (gate: Gate) => {
    await gate('begins');
    const isCrash = random(2) === 0;
    const when = random(2) === 0 ? 'before it is sent' : 'when its answer is lost';
    const faults = planFault(isCrash ? { statement: 1 + random(40), when, isCrash } : undefined);
    const database = stepDatabase(scene.test.database, {
      async before(statement, connection) {
        await faults.before(statement, connection);
        await gate(statement.trim().slice(0, 30), connection);
      },
      after: faults.after,
    });
    try {
      for (let index = 0; index < 3; index++) {
        await call(database, lease(), round, { fingerprint: `${name}/${index}`, gate });
      }
    } catch (error) {
      if (!(error instanceof PlannedFault)) throw error;
      count(round, 'crash');
    }
  };
}

/** Another worker takes the run over, or its owner cancels it. */
function intruder(round: Round, onTaken: (lease: Lease) => void) {
  return async (gate: Gate) => {
    const database = stepDatabase(scene.test.database, {
      before: (statement, connection) => gate(statement.trim().slice(0, 30), connection),
      after: () => Promise.resolve(),
    });
    for (let turns = random(30); turns > 0; turns--) await gate('waits');
    if (random(3) === 0) {
      const run = { accountId: scene.owner.accountId, runId: round.runId };
      await inTransaction(database, (tx) => endRun(tx, run, 'CANCELLED'));
      count(round, 'cancelled');
      return;
    }
    await sql`update pentest set lease_until = null where id = ${round.runId}`.execute(database.queries);
    // A run whose row is locked is not taken.
    let lease: Lease | undefined;
    while (!lease) lease = await takePentest(database.queries, { owner: 'other', leaseMs: LEASE_MS });
    assert.equal(lease.id, round.runId);
    onTaken(lease);
    count(round, 'taken over');
  };
}

const readPurse = async (runId: string) => {
  const { rows } = await sql<Record<'spent' | 'reserved' | 'meter' | 'calls' | 'open' | 'charged', number>>`
    select model_spent as spent, model_reserved as reserved, model_microdollars as meter,
      (select coalesce(sum(spent_microdollars), 0)::bigint from model_call where pentest_id = pentest.id) as calls,
      (select coalesce(sum(reserved_microdollars), 0)::bigint from model_call where pentest_id = pentest.id
        and state in ('RESERVED', 'UNKNOWN')) as open,
      (select coalesce(max(times), 0) from (select count(*) as times from model_call
        where pentest_id = pentest.id and state = 'ANSWERED' group by fingerprint) as each)::bigint as charged
    from pentest where id = ${runId}`.execute(scene.test.database.queries);
  return rows[0] ?? assert.fail(runId);
};

describe('the purse of a run', () => {
  it('never lets the bill exceed the budget, in any order of calls, crashes, takeovers and ends', async (test) => {
    const reached: Record<string, number> = {};
    for (let number = 0; number < rounds; number++) {
      const { round, lease: first } = await startRound(reached);
      let lease = first;
      const former = () => first;
      const latest = () => lease;
      const actors = [
        ...names.map((name) => specialist(round, former, name)),
        intruder(round, (taken) => {
          lease = taken;
        }),
        ...names.map((name) => specialist(round, latest, name)),
      ];
      await interleave(scene.test.database.pool, actors, random);
      const { spent, reserved, meter, calls, open, charged } = await readPurse(round.runId);
      await requireCovered(round);
      assert.deepEqual({ meter, calls, open }, { meter: spent, calls: spent, open: reserved });
      // Two callers that ask at the same time may both pay; one after the other never does.
      assert.ok(charged <= 2);
      await endRuns();
    }
    test.diagnostic(`seed ${seed}, ${rounds} rounds, ${JSON.stringify(reached)}`);
    const happenings = ['reserved', 'BUDGET', 'SHARE', 'ANSWERED', 'FAILED', 'UNKNOWN', 'crash', 'taken over'];
    const rare = ['answered', 'lost', 'stored too late', 'cancelled'];
    for (const what of isFull ? [...happenings, ...rare] : ['reserved']) {
      assert.ok((reached[what] ?? 0) >= 1, `never reached: ${what} (seed ${seed})`);
    }
  });
});

describe('a call of the model', () => {
  const price = { input: 1_000_000, output: 1_000_000 };
  const wanted = {
    fingerprint: 'one',
    phase: 'WEB_TEST' as const,
    specialist: 'access control',
    provider: 'test',
    model: 'm',
    promptVersion: '1',
    worstCase: 500_000,
    isClosing: false,
    share: null,
  };
  const usage = { inputTokens: 100_000, outputTokens: 20_000, cachedInputTokens: 0, cacheWriteTokens: 0 };

  async function begin() {
    const runId = await scene.startRun('LEAD');
    await inTransaction(scene.test.database, (tx) => pentestKind.enqueue(tx, runId));
    const lease = await take(runId);
    return {
      lease,
      runId,
      reserve: (over: object = {}) => reserveCall(scene.test.database, lease, { ...wanted, ...over }),
    };
  }

  async function reserved(reservation: ReturnType<typeof reserveCall>): Promise<number> {
    const made = await reservation;
    assert.equal(made.kind, 'reserved');
    return made.kind === 'reserved' ? made.callId : 0;
  }

  it('costs what the provider counted, in the meter of the run and of its step, and gives the rest back', async () => {
    const { lease, runId, reserve } = await begin();
    const { database } = scene.test;
    const callId = await reserved(reserve());
    const answered = { state: 'ANSWERED', usage, price, answer: { text: 'hello' } } as const;
    for (let time = 0; time < 2; time++) {
      assert.deepEqual(await settleCall(database, lease, callId, answered), { isStored: true, overrun: 0 });
    }
    const step = { type: 'step', name: 'WEB_TEST/1', phase: 'WEB_TEST', requests: 1, modelMicrodollars: 0 } as const;
    for (let time = 0; time < 2; time++) await saveStep(database, lease, { ...step, findings: [] }, 1);
    const { spent, reserved: left, meter } = await readPurse(runId);
    assert.deepEqual({ spent, left, meter }, { spent: 120_000, left: 0, meter: 120_000 });
    const shown = await scene.admin.run.show({ run: runId });
    assert.deepEqual(
      shown.steps.map(({ modelMicrodollars }) => modelMicrodollars),
      [120_000],
    );
    assert.deepEqual(shown.modelUse, [
      {
        phase: 'WEB_TEST',
        specialist: 'access control',
        provider: 'test',
        model: 'm',
        promptVersion: '1',
        calls: 1,
        answered: 1,
        inputTokens: 100_000,
        outputTokens: 20_000,
        microdollars: 120_000,
        unknownMicrodollars: 0,
      },
    ]);
  });

  it('is not made twice: an attempt that repeats it gets the stored answer', async () => {
    const { lease, reserve } = await begin();
    const callId = await reserved(reserve());
    const answer = { text: 'hello' };
    await settleCall(scene.test.database, lease, callId, { state: 'ANSWERED', usage, price, answer });
    assert.deepEqual(await reserve(), { kind: 'answered', answer });
  });

  it('keeps a tenth of the budget for the calls that close the run', async () => {
    const { reserve } = await begin();
    await reserved(reserve({ worstCase: 900_000 }));
    assert.deepEqual(await reserve({ worstCase: 1 }), { kind: 'refused', reason: 'BUDGET' });
    await reserved(reserve({ worstCase: 100_000, isClosing: true }));
    assert.deepEqual(await reserve({ worstCase: 1, isClosing: true }), { kind: 'refused', reason: 'BUDGET' });
  });

  it('stays within the share of its specialist', async () => {
    const { reserve } = await begin();
    await reserved(reserve({ worstCase: 60_000, share: 100_000 }));
    assert.deepEqual(await reserve({ worstCase: 40_001, share: 100_000 }), { kind: 'refused', reason: 'SHARE' });
    await reserved(reserve({ worstCase: 40_001, share: 100_000, specialist: 'client side' }));
  });

  it('that cost more than the most it could is charged at that, and is the last of its run', async () => {
    const { lease, runId, reserve } = await begin();
    const callId = await reserved(reserve({ worstCase: 100_000 }));
    const answered = { state: 'ANSWERED', usage, price, answer: '' } as const;
    assert.deepEqual(await settleCall(scene.test.database, lease, callId, answered), {
      isStored: true,
      overrun: 20_000,
    });
    assert.equal((await readPurse(runId)).meter, 100_000);
    assert.deepEqual(await reserve({ fingerprint: 'two', worstCase: 1 }), { kind: 'refused', reason: 'OVERRUN' });
  });

  it('without counts of the provider costs its worst case', async () => {
    const { lease, runId, reserve } = await begin();
    const callId = await reserved(reserve());
    await settleCall(scene.test.database, lease, callId, { state: 'ANSWERED', usage: undefined, price, answer: '' });
    assert.equal((await readPurse(runId)).meter, 500_000);
  });

  it('with an unknown outcome counts towards the budget, and costs the customer nothing', async () => {
    const { lease, runId, reserve } = await begin();
    await settleCall(scene.test.database, lease, await reserved(reserve()), { state: 'UNKNOWN' });
    const { spent, reserved: left, meter } = await readPurse(runId);
    assert.deepEqual({ spent, left, meter }, { spent: 0, left: 500_000, meter: 0 });
    assert.deepEqual(await reserve({ fingerprint: 'two' }), { kind: 'refused', reason: 'BUDGET' });
  });

  it('is refused once the run is over, and its cost is in the statement', async () => {
    const { lease, runId, reserve } = await begin();
    const callId = await reserved(reserve());
    await settleCall(scene.test.database, lease, callId, { state: 'ANSWERED', usage, price, answer: '' });
    const late = await reserved(reserve({ fingerprint: 'two', worstCase: 1 }));
    await scene.endRun(runId, 'CANCELLED');
    assert.deepEqual(await reserve({ fingerprint: 'three' }), { kind: 'lost' });
    const settled = await settleCall(scene.test.database, lease, late, { state: 'ANSWERED', usage, price, answer: '' });
    assert.deepEqual(settled, { isStored: false, overrun: 0 });
    const { meters, modelUse, testing } = await scene.admin.run.statement({ run: runId });
    assert.equal(meters.model.used, 120_000);
    // 12 % of the 400 credits of the level.
    assert.equal(testing.charged, 48);
    assert.deepEqual(
      modelUse.map(({ calls, microdollars, unknownMicrodollars }) => ({ calls, microdollars, unknownMicrodollars })),
      [{ calls: 2, microdollars: 120_000, unknownMicrodollars: 1 }],
    );
  });
});
