import { setTimeout as sleep } from 'node:timers/promises';
import type { Attempt, Fleet, StartNode } from './fleet.ts';
import type { Random } from './random.ts';
import type { WantedStart } from './starts.ts';

/** Counts for the line that the test prints. */
export interface Figures {
  requests: number;
  killsInFlight: number;
  otherKills: number;
  pauses: number;
  /** Attempts that lost their claim, and had to notice before they did any harm. */
  zombies: number;
  /** Invalid responses to a start. */
  wrong: string[];
}

export const createFigures = (): Figures => ({
  requests: 0,
  killsInFlight: 0,
  otherKills: 0,
  pauses: 0,
  zombies: 0,
  wrong: [],
});

export function countKill(figures: Figures, hadStart: boolean): void {
  if (hadStart) figures.killsInFlight++;
  else figures.otherKills++;
}

/** Further errors would add nothing, and most starts would never end. */
export const isHopeless = ({ wrong }: Figures): boolean => wrong.length >= 10;

const AT_ONCE = 3;
/** Initial timeout for a node, before the start is sent to another one. */
const FIRST_PATIENCE_MS = 1_500;
/** Without a growing timeout, retries would slow down the nodes that already process the start. */
const PATIENCE_GROWTH = 1.5;

interface DeliveryOptions {
  fleet: Fleet;
  random: Random;
  figures: Figures;
  timeIsUp: AbortSignal;
}

/** Sends a start to three nodes at once, then to one after another, until a node confirms it. */
export async function deliver(
  start: WantedStart,
  { fleet, random, figures, timeIsUp }: DeliveryOptions,
): Promise<void> {
  const started = new AbortController();
  const underWay: Promise<void>[] = [];
  let patience = FIRST_PATIENCE_MS;

  async function send(node: StartNode): Promise<void> {
    figures.requests++;
    const attempt = await node.send(start);
    note(attempt, start, figures);
    if (attempt.outcome === 'started') started.abort();
  }

  async function sendTo(count: number): Promise<void> {
    const nodes = await fleet.until(() => atLeast(count, fleet.usable()));
    const asked = random.sample(nodes ?? [], count);
    const sent = asked.map(send);
    underWay.push(...sent);
    const decided = new AbortController();
    const paused = fleet.until(() => asked.some(fleet.isPaused) || undefined, decided.signal);
    const inTime = await Promise.race([Promise.all(sent), paused, pause(patience, started.signal)]);
    decided.abort();
    if (!inTime) patience *= PATIENCE_GROWTH;
  }

  await sendTo(AT_ONCE);
  while (!started.signal.aborted && !timeIsUp.aborted) {
    await pause(random.between(80, 200), started.signal);
    if (!started.signal.aborted) await sendTo(1);
  }
  await Promise.all(underWay);
}

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  sleep(milliseconds, undefined, { signal }).catch(() => undefined);

const atLeast = <T>(count: number, list: T[]): T[] | undefined => (list.length >= count ? list : undefined);

function note(attempt: Attempt, start: WantedStart, figures: Figures): void {
  if (attempt.outcome === 'started') start.answers.push(attempt);
  else if (attempt.outcome === 'wrong') figures.wrong.push(`${start.idempotencyKey}: ${attempt.what}`);
  else if (attempt.outcome === 'in progress' && attempt.isOvertaken) figures.zombies++;
}
