import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pentest } from '@sortie/contract';
import type { TestDatabase } from '../database/database.ts';
import { createRandom, type Random } from '../start-once/random.ts';
import { createStarter, pentestsOf, type Starter, startPentest } from '../world/pentests.ts';
import { isOver, type Run } from '../world/runs.ts';
import { createScanning } from '../world/scans.ts';
import { cancel } from '../world/starts.ts';
import type { World } from '../world/world.ts';
import { createScript, isHopeless, type SurvivedScript } from './scripts.ts';

export interface FedRun extends Run {
  script: SurvivedScript;
  /** The states that a polling client saw, without repetitions. */
  seen: Pick<Pentest, 'status' | 'startedAt' | 'completedAt'>[];
  /** The response to the cancel, if there was one. */
  cancelled: Pentest['status'] | undefined;
  /** A snapshot of its rows, taken when it was first seen to be over. */
  ending: Everything | undefined;
}

/** The rows of a run by table. */
type Everything = Record<string, unknown>;

export interface FedScan {
  id: string;
  starter: Starter;
  script: SurvivedScript;
}

export interface Fed {
  runs: FedRun[];
  scans: FedScan[];
}

interface FeedOptions {
  seed: number;
  clients: number;
  isEnough(fed: Fed): boolean;
  timeIsUp: AbortSignal;
}

/** The concurrency limit of an account. */
const RUNS_AT_ONCE = 3;
const LOOK_EVERY_MS = 150;
const depths = ['LEAD', 'LEAD', 'STANDARD', 'DEEP'] as const;

/** Runs clients that start runs and wait for their end, one account after another, until `isEnough`. */
export async function feedRuns(world: World, { seed, clients, isEnough, timeIsUp }: FeedOptions): Promise<Fed> {
  const fed: Fed = { runs: [], scans: [] };
  let accounts = 0;

  async function startOneAfterAnother(): Promise<void> {
    while (!isEnough(fed) && !timeIsUp.aborted) {
      const number = ++accounts;
      const random = createRandom(seed + number);
      const started = await startOfAccount(world, createScript(number, random), random);
      fed.runs.push(...started.runs);
      fed.scans.push(...started.scans);
      const cancellations = started.runs
        .filter(() => random.chance(0.12))
        .map((run) => cancelLater(world, run, random));
      await Promise.all([follow(world, started.runs, timeIsUp), ...cancellations]);
    }
  }

  await Promise.all(Array.from({ length: clients }, startOneAfterAnother));
  return fed;
}

async function startOfAccount(world: World, script: SurvivedScript, random: Random): Promise<Fed> {
  const { baseUrl } = world.server;
  const starter = await createStarter(world, { credits: 20_000 });
  await world.admin.fault.engine({ account: starter.accountId, script: JSON.stringify(script) });
  const runs: FedRun[] = [];
  const count = isHopeless(script) ? 1 : RUNS_AT_ONCE;
  while (runs.length < count) {
    const depth = random.pick(depths);
    const id = await startPentest(baseUrl, starter, { ...starter.target, depth });
    runs.push({ id, starter, script, seen: [], cancelled: undefined, ending: undefined });
  }
  const scanId = await createScanning(() => world).started(starter, starter.target.targetUrl);
  return { runs, scans: [{ id: scanId, starter, script }] };
}

async function cancelLater({ server }: World, run: FedRun, random: Random): Promise<void> {
  await sleep(random.between(300, 4_000));
  const answer = await cancel(server.baseUrl, run.starter, run.id);
  assert.equal(answer.status, 200, answer.text);
  run.cancelled = answer.body?.status as Pentest['status'];
}

/** Polls until all runs are over. */
async function follow({ server, testDatabase }: World, runs: FedRun[], timeIsUp: AbortSignal): Promise<void> {
  const [first] = runs;
  while (first && runs.some(({ ending }) => ending === undefined) && !timeIsUp.aborted) {
    await sleep(LOOK_EVERY_MS);
    const { pentests } = await pentestsOf(server.baseUrl, first.starter);
    for (const run of runs) {
      const pentest = pentests.find(({ id }) => id === run.id);
      assert.ok(pentest, `${run.id} is not in the list`);
      see(run, pentest);
      if (isOver(pentest)) run.ending ??= await readEverything(testDatabase, run.id);
    }
  }
}

function see({ seen }: FedRun, { status, startedAt, completedAt }: Pentest): void {
  const last = seen.at(-1);
  const isNews = last?.status !== status || last.startedAt !== startedAt || last.completedAt !== completedAt;
  if (isNews) seen.push({ status, startedAt, completedAt });
}

export async function readEverything({ database }: TestDatabase, id: string): Promise<Everything> {
  const { rows } = await database.pool.query<Everything>(
    `select to_jsonb(pentest) as run, to_jsonb(charge_statement) as statement, to_jsonb(credit_hold) as hold,
       (select jsonb_agg(step order by name) from pentest_step as step where pentest_id = $1) as steps,
       (select jsonb_agg(finding order by id) from pentest_finding as finding where pentest_id = $1) as findings,
       (select jsonb_agg(slice order by part, position) from credit_slice as slice where run_id = $1) as slices,
       (select jsonb_agg(operation order by sequence) from credit_operation as operation where run_id = $1) as operations,
       (select jsonb_agg(review) from report_review as review where pentest_id = $1) as reviews
     from pentest join credit_hold on run_id = pentest.id left join charge_statement on pentest_id = pentest.id
     where pentest.id = $1`,
    [id],
  );
  const [everything] = rows;
  assert.ok(everything, `${id} is gone`);
  return everything;
}
