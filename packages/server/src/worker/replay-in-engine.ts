import type { ReplayTask } from '@sortie/engine';
import type { Database } from '../db/database.ts';
import { findCalls } from '../outside/outside.ts';
import { type Judged, keepRetestState, noteRetestEgress, type TakenRetest } from '../retests/retests.ts';
import type { EngineProcess } from './engine-process.ts';
import { retryWhileDatabaseAway } from './retry-while-database-away.ts';

/** Loading the checks is slow on a busy node. */
const START_LIMIT_MS = 60_000;
/** Longer than the engine's own limit for one finding. */
const REPLAY_LIMIT_MS = 12 * 60_000;

interface Replaying {
  engine: EngineProcess;
  order: ReplayTask;
  isEnded(): boolean;
}

/** Resolves to the outcome of a replay; undefined if the engine ended before, or if the lease is lost. */
export async function replayInEngine(
  database: Database,
  retest: TakenRetest,
  { engine, order, isEnded }: Replaying,
): Promise<Judged | undefined> {
  const write = <T>(work: () => Promise<T>) => retryWhileDatabaseAway(work, isEnded);
  let isReady = false;
  let result: Judged | undefined;
  engine.allow(START_LIMIT_MS);
  for await (const { message } of engine.received) {
    if (message.type === 'ready' && !isReady) {
      isReady = true;
      engine.allow(REPLAY_LIMIT_MS);
      engine.send(order);
    } else if (message.type === 'egress' && isReady) {
      const standing = await write(() => noteRetestEgress(database, retest, message.egress));
      if (standing === 'LOST') engine.kill('the retest was taken over');
      if (standing === 'OVER') engine.end('the retest was ended');
    } else if (message.type === 'state' && isReady) {
      const isKept = await write(() => keepRetestState(database.queries, retest, message.state));
      if (isKept) engine.send({ type: 'saved', name: null });
      else engine.end('the retest was ended');
    } else if (message.type === 'heard' && order.outside) {
      const { outside } = order;
      engine.send({ type: 'calls', calls: await write(() => findCalls(database.queries, outside, message.labels)) });
    } else if (message.type === 'replayed' && isReady) {
      const { outcome, reason, places } = message;
      result = { outcome, reason, places };
      engine.kill('the replay is over');
    } else {
      engine.kill('sent an unexpected message');
    }
  }
  return result;
}
