import type { Database } from '../../../server/src/db/database.ts';
import type { WantedStart } from './starts.ts';

export interface Run {
  id: string;
  accountId: string;
  path: WantedStart['path'];
  url: string;
  status: string;
  isHandedOver: boolean;
}

export interface Claim {
  accountId: string;
  idempotencyKey: string;
  state: string;
  runId: string;
  answer: string | null;
}

/** The rows that the starts left in the database. */
export interface Remains {
  runs: Run[];
  claims: Claim[];
  holds: { runId: string; accountId: string; reserved: number; state: string }[];
  /** Ids of runs with sealed test accounts. */
  sealed: string[];
}

export async function readRemains({ pool }: Database): Promise<Remains> {
  const runs = await pool.query<Run>(`
    select id, account_id as "accountId", '/v1/pentests' as path, target_url as url, status,
      handed_over_at is not null as "isHandedOver" from pentest
    union all
    select id, account_id, '/v1/scans', url, status, handed_over_at is not null from scan`);
  const claims = await pool.query<Claim>(`
    select account_id as "accountId", idempotency_key as "idempotencyKey", state, run_id as "runId",
      answer_body as answer from idempotency_claim`);
  const holds = await pool.query<Remains['holds'][number]>(`
    select run_id as "runId", account_id as "accountId", testing_reserved + review_reserved as reserved, state
    from credit_hold`);
  const sealed = await pool.query<{ runId: string }>('select run_id as "runId" from credential_key');
  return {
    runs: runs.rows,
    claims: claims.rows,
    holds: holds.rows,
    sealed: sealed.rows.map(({ runId }) => runId),
  };
}

const idsOf = ({ answers }: WantedStart) => new Set(answers.map(({ text }) => String(JSON.parse(text).id)));

/**
 * Returns whether there is more than one run, more than one distinct response, or more than one response that is not a
 * replay.
 */
function isDoubled(start: WantedStart, runsOfStart: readonly Run[]): boolean {
  const firstAnswers = start.answers.filter(({ isReplay }) => !isReplay);
  return runsOfStart.length > 1 || new Set(start.answers.map(({ text }) => text)).size > 1 || firstAnswers.length > 1;
}

export interface Losses {
  acknowledged: WantedStart[];
  /** Confirmed as started, but missing or not in the queue. */
  lost: WantedStart[];
  duplicated: WantedStart[];
}

export function findLosses({ runs }: Remains, starts: readonly WantedStart[]): Losses {
  const byUrl = Map.groupBy(runs, ({ url }) => url);
  const runsOf = ({ url }: WantedStart) => byUrl.get(url) ?? [];
  const acknowledged = starts.filter(({ answers }) => answers.length > 0);
  return {
    acknowledged,
    lost: acknowledged.filter((start) => {
      const kept = runsOf(start).filter(({ isHandedOver }) => isHandedOver);
      return ![...idsOf(start)].every((id) => kept.some((run) => run.id === id));
    }),
    duplicated: starts.filter((start) => isDoubled(start, runsOf(start))),
  };
}
