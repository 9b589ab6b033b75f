import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** Returns a seeded generator of integers from 0 up to a bound (mulberry32). */
export function createRandom(seed: number): (bound: number) => number {
  let state = seed >>> 0;
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

/** Waits for the actor's turn. `connection` is the database connection on which it continues, if any. */
export type Gate = (what: string, connection?: number) => Promise<void>;

type Actor = (gate: Gate) => Promise<void>;

interface Place {
  state: 'under way' | 'at the gate' | 'ended';
  connection: number;
  what: string;
  /** Whether it was seen waiting for a lock. */
  isWaiting: boolean;
  turn: PromiseWithResolvers<void>;
}

interface Stage {
  pool: pg.Pool;
  places: Place[];
  /** Resolved when an actor reaches a gate or its end. */
  change: PromiseWithResolvers<void>;
}

/**
 * Lets actors run one at a time, from gate to gate, in an order determined by a seed. An actor that waits for another's
 * database lock is skipped until it has the lock, so that the order depends on the seed only. Resolves to the order.
 */
export async function interleave(
  pool: pg.Pool,
  actors: readonly Actor[],
  random: (bound: number) => number,
): Promise<string[]> {
  const order: string[] = [];
  const stage: Stage = { pool, places: [], change: Promise.withResolvers() };
  const played = actors.map((actor) => play(stage, actor));
  try {
    for (;;) {
      await settle(stage);
      const ready = stage.places.filter(({ state }) => state === 'at the gate');
      const next = ready[random(Math.max(1, ready.length))];
      if (!next) break;
      order.push(`${stage.places.indexOf(next)}: ${next.what}`);
      next.state = 'under way';
      next.turn.resolve();
    }
  } catch (error) {
    for (const { turn } of stage.places) turn.reject(error);
    await Promise.allSettled(played);
    throw new Error(order.join('\n'), { cause: error });
  }
  await Promise.all(played);
  return order;
}

async function play(stage: Stage, actor: Actor): Promise<void> {
  const place: Place = { state: 'under way', connection: 0, what: '', isWaiting: false, turn: Promise.withResolvers() };
  stage.places.push(place);
  try {
    await actor((what, connection = 0) => {
      Object.assign(place, { state: 'at the gate', what, connection, isWaiting: false, turn: Promise.withResolvers() });
      stage.change.resolve();
      return place.turn.promise;
    });
  } finally {
    place.state = 'ended';
    stage.change.resolve();
  }
}

/** Longer than most statements take; only then the database is queried for lock waits. */
const PATIENCE_MS = 5;
const STUCK_MS = 20_000;

/** Waits until every actor is at a gate, has ended, or waits for a lock of another actor. */
async function settle(stage: Stage): Promise<void> {
  const giveUpAt = performance.now() + STUCK_MS;
  for (;;) {
    const moving = stage.places.filter(({ state }) => state === 'under way');
    if (moving.length === 0) return;
    const isAnyReady = stage.places.some(({ state }) => state === 'at the gate');
    if (isAnyReady && moving.every(({ isWaiting }) => isWaiting) && (await areWaiting(stage.pool, moving))) return;
    stage.change = Promise.withResolvers();
    if (await isResolvedWithin(PATIENCE_MS, stage.change.promise)) continue;
    if (isAnyReady && (await areWaiting(stage.pool, moving))) return;
    assert.ok(performance.now() < giveUpAt, 'the actors are stuck');
  }
}

async function isResolvedWithin(milliseconds: number, promise: Promise<void>): Promise<boolean> {
  const tooLate = new AbortController();
  const timer = sleep(milliseconds, false, { signal: tooLate.signal }).catch(() => false);
  const isResolved = await Promise.race([promise.then(() => true), timer]);
  tooLate.abort();
  return isResolved;
}

async function areWaiting(pool: pg.Pool, places: readonly Place[]): Promise<boolean> {
  const connections = places.map(({ connection }) => connection);
  const text = 'select count(distinct pid) as waiting from pg_locks where not granted and pid = any($1)';
  const { rows } = await pool.query(text, [connections]);
  const areAll = rows[0].waiting === places.length && places.every(({ state }) => state === 'under way');
  for (const place of places) place.isWaiting = areAll;
  return areAll;
}
