import assert from 'node:assert/strict';
import type { Pentest } from '@sortie/contract';
import { sql } from 'kysely';
import { usageOf } from './pentests.ts';
import { type Run, readRun } from './runs.ts';
import type { World } from './world.ts';

interface Level {
  testing: number;
  review: number;
  minutes: number;
  requests: number;
  microdollars: number;
}

export const levels: Record<'LEAD' | 'STANDARD' | 'DEEP', Level> = {
  LEAD: { testing: 400, review: 0, minutes: 30, requests: 3_000, microdollars: 1_000_000 },
  STANDARD: { testing: 1_500, review: 500, minutes: 180, requests: 25_000, microdollars: 15_000_000 },
  DEEP: { testing: 4_500, review: 1_500, minutes: 480, requests: 100_000, microdollars: 60_000_000 },
};

interface Ended {
  id: string;
  depth: keyof typeof levels;
  outcome: 'COMPLETED' | 'FAILED' | 'CANCELLED';
  started: boolean;
  isReleased: boolean;
  /** The sum of all finished steps. */
  engineMs: number;
  requests: number;
  modelMicrodollars: number;
}

interface Settlement {
  testing: number;
  /** Null until a reviewer decides. */
  review: number | null;
}

/** Returns the smallest integer that is at least `share * used / allowed`, without relying on an exact division. */
function leastCredits(share: number, used: number, allowed: number): number {
  let credits = Math.floor((share / allowed) * used);
  while (credits * allowed < share * used) credits++;
  while (credits > 0 && (credits - 1) * allowed >= share * used) credits--;
  return credits;
}

/** Returns the expected cost of a run, by a formula independent of the product's. */
function settlementOf(ended: Ended, level: Level): Settlement {
  const { outcome, started } = ended;
  if (outcome === 'FAILED' || !started) return { testing: 0, review: 0 };
  const used = [
    leastCredits(level.testing, ended.engineMs, level.minutes * 60_000),
    leastCredits(level.testing, ended.requests, level.requests),
    leastCredits(level.testing, ended.modelMicrodollars, level.microdollars),
    outcome === 'COMPLETED' ? 100 : 0,
  ];
  const [most = 0] = used.toSorted((one, other) => other - one);
  const testing = most > level.testing ? level.testing : most;
  if (outcome === 'CANCELLED' || level.review === 0) return { testing, review: 0 };
  return { testing, review: ended.isReleased ? level.review : null };
}

async function selectEnded({ testDatabase }: World): Promise<Ended[]> {
  const { rows } = await sql<Ended>`
    select id, depth, status as outcome, started_at is not null as started, released_at is not null as "isReleased",
      coalesce(sum(step.engine_ms), 0)::bigint as "engineMs", coalesce(sum(step.requests), 0)::bigint as requests,
      coalesce(sum(step.model_microdollars), 0)::bigint as "modelMicrodollars"
    from pentest left join pentest_step as step on step.pentest_id = pentest.id
    where pentest.completed_at is not null group by pentest.id order by pentest.id`.execute(
    testDatabase.database.queries,
  );
  return rows;
}

/** Asserts that every run is over, and that statement, credits and history show the expected cost. */
export async function assertStatements(world: World, runs: readonly Run[], sold = levels): Promise<void> {
  const ended = await selectEnded(world);
  assert.deepEqual(
    ended.map(({ id }) => id),
    runs.map(({ id }) => id).sort(),
  );
  for (const one of ended) {
    const level = sold[one.depth];
    const settlement = settlementOf(one, level);
    assert.deepEqual(await selectStatement(world, one.id), statementOf(one, level, settlement));
    const run = runs.find(({ id }) => id === one.id);
    assert.ok(run);
    assert.deepEqual((await readRun(world, run)).credits, creditsOf(one, level, settlement));
    const { total } = await world.admin.run.statement({ run: one.id });
    assert.deepEqual(total, totalOf(level, settlement));
    const usage = await usageOf(world.server.baseUrl, run.starter, { pentestId: one.id });
    const booked = usage.map(({ type, part, credits }) => `${type} ${part} ${credits}`);
    assert.deepEqual(booked.sort(), bookingsOf(level, settlement).sort());
  }
}

async function selectStatement({ testDatabase }: World, id: string) {
  const { pentest_id, created_at, ...statement } = await testDatabase.database.queries
    .selectFrom('charge_statement')
    .selectAll()
    .where('pentest_id', '=', id)
    .executeTakeFirstOrThrow();
  return statement;
}

function statementOf(ended: Ended, level: Level, { testing, review }: Settlement) {
  return {
    outcome: ended.outcome,
    started: ended.started,
    testing_reserved: level.testing,
    review_reserved: level.review,
    engine_ms: ended.engineMs,
    max_minutes: level.minutes,
    requests: ended.requests,
    max_requests: level.requests,
    model_microdollars: ended.modelMicrodollars,
    model_budget_microdollars: level.microdollars,
    minimum: ended.outcome === 'COMPLETED' ? 100 : 0,
    testing_charged: testing,
    review_charged: review,
  };
}

function creditsOf({ outcome, started }: Ended, level: Level, { testing, review }: Settlement): Pentest['credits'] {
  const reserved = level.testing + level.review;
  if (outcome === 'FAILED' || !started) return { state: 'RETURNED', reserved, charged: 0, returned: reserved };
  if (review === null) return { state: 'RESERVED', reserved, charged: null, returned: null };
  const charged = testing + review;
  return { state: 'CHARGED', reserved, charged, returned: reserved - charged };
}

/** Returns the total as the operator sees it, including unsettled credits. */
function totalOf(level: Level, { testing, review }: Settlement) {
  const reserved = level.testing + level.review;
  const held = review === null ? level.review : 0;
  const charged = testing + (review ?? 0);
  return { reserved, charged, returned: reserved - charged - held, held };
}

function bookingsOf(level: Level, settlement: Settlement): string[] {
  return (['testing', 'review'] as const).flatMap((part) => {
    const [reserved, charged] = [level[part], settlement[part]];
    const booked = { HOLD: -reserved, CHARGE: -(charged ?? 0), RETURN: charged === null ? 0 : reserved - charged };
    return Object.entries(booked).flatMap(([type, credits]) => (credits === 0 ? [] : [`${type} ${part} ${credits}`]));
  });
}
