import { setTimeout as sleep } from 'node:timers/promises';
import type { TestDatabase } from '../database/database.ts';
import type { Random } from '../start-once/random.ts';
import { cutOff, databaseNow, hasLostEngine, keepOut, type Leased, readLeased } from './observer.ts';
import { enginesOf, type WorkerNode, type Workers } from './workers.ts';

export const kinds = ['worker', 'engine', 'connections'] as const;
type Kind = (typeof kinds)[number];

/** Faults that hit a run in progress, by kind. */
export interface Faults extends Record<Kind, number> {
  /** Faults that hit no run. */
  missed: number;
  pauses: number;
  /** Workers that were paused until another worker had taken one of their runs, and then resumed. */
  zombies: number;
}

interface WantedFaults {
  total: number;
  ofEachKind: number;
  zombies: number;
}

export const sumOf = (faults: Faults): number => kinds.reduce((sum, kind) => sum + faults[kind], 0);

interface DisturbOptions {
  testDatabase: TestDatabase;
  workers: Workers;
  random: Random;
  wanted: WantedFaults;
  timeIsUp: AbortSignal;
}

/** Workers are killed less often, because replacing one takes time. */
const mixture: Kind[] = ['worker', 'engine', 'engine', 'engine', 'connections', 'connections'];

/** Longer than a lease, plus the time until a worker with a free slot notices its expiry. */
const PAUSE_AT_MOST_MS = 5_000;
/** Many times as long as a worker takes to notice that an engine is gone. */
const NOTICED_WITHIN_MS = 1_500;
/** Within this time a worker with a run saves a step, unless its engines crash before. */
const SOMETHING_SAVED_MS = 1_000;

/** Injects faults until all wanted ones have happened. */
export async function disturb({ testDatabase, workers, random, wanted, timeIsUp }: DisturbOptions): Promise<Faults> {
  const faults: Faults = { worker: 0, engine: 0, connections: 0, missed: 0, pauses: 0, zombies: 0 };
  let struck: WorkerNode | undefined;
  const lacking = () => kinds.filter((kind) => faults[kind] < wanted.ofEachKind);
  const isEnough = () => sumOf(faults) >= wanted.total && lacking().length === 0 && faults.zombies >= wanted.zombies;
  const isOver = () => isEnough() || timeIsUp.aborted;
  const inflict: Record<Kind, (node: WorkerNode) => Promise<boolean>> = {
    worker: (node) => killWorker(testDatabase, workers, node),
    engine: (node) => killEngine(testDatabase, node, random),
    connections: (node) => dropConnections(testDatabase, node, random),
  };

  /** Returns a worker with a run and without another current fault, if there is more than one worker. */
  async function findVictim(): Promise<WorkerNode | undefined> {
    const leased = await readLeased(testDatabase);
    const running = workers.running();
    const free = running.filter((node) => node !== struck);
    const busy = free.filter(({ isOwner }) => leased.some(({ owner }) => isOwner(owner)));
    return running.length > 1 ? random.pick(busy) : undefined;
  }

  async function strikeOneAfterAnother(): Promise<void> {
    while (!isOver()) {
      await sleep(random.between(100, 700));
      const kind = random.pick(sumOf(faults) < wanted.total ? mixture : lacking());
      const victim = await findVictim();
      if (!victim || !kind) continue;
      struck = victim;
      if (await inflict[kind](victim)) faults[kind]++;
      else faults.missed++;
      struck = undefined;
    }
  }

  async function pauseOneAfterAnother(): Promise<void> {
    while (!isOver()) {
      await sleep(random.between(1_000, 4_000));
      const victim = await findVictim();
      if (!victim) continue;
      faults.pauses++;
      if (await pauseBeyondLease(testDatabase, workers, victim, random)) faults.zombies++;
    }
  }

  await Promise.all([strikeOneAfterAnother(), pauseOneAfterAnother()]);
  return faults;
}

async function readLeasedBy(testDatabase: TestDatabase, { isOwner }: WorkerNode): Promise<Leased[]> {
  return (await readLeased(testDatabase)).filter(({ owner }) => isOwner(owner));
}

async function killWorker(testDatabase: TestDatabase, workers: Workers, node: WorkerNode): Promise<boolean> {
  // It cannot finish its current runs any more.
  workers.pause(node);
  const underWay = await readLeasedBy(testDatabase, node);
  await workers.kill(node);
  return underWay.length > 0;
}

/** Prefers the engine of a pentest, but sometimes hits the engine shared by all scans. */
async function killEngine(testDatabase: TestDatabase, node: WorkerNode, random: Random): Promise<boolean> {
  const since = await databaseNow(testDatabase);
  const underWay = await readLeasedBy(testDatabase, node);
  const engines = await enginesOf(node);
  // Pentest engines are the youngest, because each lives for one attempt only.
  const engine = random.pick(random.chance(0.1) ? engines : engines.slice(0, underWay.length));
  if (engine === undefined || !kill(engine)) return false;
  return becomesTrue(() => hasLostEngine(testDatabase, node.name, since), NOTICED_WITHIN_MS);
}

function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    // It has just exited by itself.
    return false;
  }
}

/** Sometimes keeps the connections down for a while, possibly beyond the leases. */
async function dropConnections(testDatabase: TestDatabase, { name }: WorkerNode, random: Random): Promise<boolean> {
  const isHit = await cutOff(testDatabase, name, SOMETHING_SAVED_MS);
  if (random.chance(0.4)) await keepOut(testDatabase, name, random.between(100, 2_000));
  return isHit;
}

/** Resolves to whether another worker had taken one of its runs before it resumed. */
async function pauseBeyondLease(
  testDatabase: TestDatabase,
  workers: Workers,
  node: WorkerNode,
  random: Random,
): Promise<boolean> {
  workers.pause(node);
  try {
    const underWay = await readLeasedBy(testDatabase, node);
    const isTaken = async () => {
      const leased = await readLeased(testDatabase);
      return leased.some(({ id, owner }) => !node.isOwner(owner) && underWay.some((run) => run.id === id));
    };
    const isZombie = await becomesTrue(isTaken, PAUSE_AT_MOST_MS);
    // Sometimes resumes at once, sometimes after the other worker has continued the run.
    await sleep(random.between(0, 800));
    return isZombie;
  } finally {
    workers.resume(node);
  }
}

async function becomesTrue(condition: () => Promise<boolean | undefined>, withinMs: number): Promise<boolean> {
  const giveUpAt = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > giveUpAt) return false;
    await sleep(10);
  }
  return true;
}
