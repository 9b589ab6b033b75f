import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Config } from '../config/config.ts';
import type { Queries, Transaction } from '../db/database.ts';
import type { StartEndpoint } from '../db/schema.ts';

type StartSettings = Config['starts'];

/** A start as requested by its caller. */
export interface StartRequest {
  accountId: string;
  idempotencyKey: string;
  endpoint: StartEndpoint;
  fingerprint: Buffer;
}

/** One attempt to start a run. Once another attempt owns the key, all its writes are refused. */
export interface Claim {
  accountId: string;
  idempotencyKey: string;
  owner: string;
  runId: string;
}

export interface StoredAnswer {
  status: number;
  /** The body of the first response, as JSON text. */
  body: string;
}

interface Taken extends Claim {
  /** CREATED: an earlier attempt has committed the run, and only the hand-over to the queue is missing. */
  state: 'CLAIMED' | 'CREATED';
  isOverdue: boolean;
}

type Found =
  | { found: 'taken'; claim: Taken }
  | { found: 'answer'; answer: StoredAnswer; runId: string }
  | { found: 'other request' }
  | { found: 'in progress'; hasFailed: boolean; retryAfterSeconds: number };

const interval = (milliseconds: number) => sql`make_interval(secs => ${milliseconds / 1000})`;

/**
 * Each miss means that the row changed between two statements. After this many, another attempt is certainly active.
 */
const ATTEMPTS = 5;

/** Takes the key for a new attempt, or resolves to the state of the existing claim. Commits by itself. */
export async function takeClaim(
  queries: Queries,
  request: StartRequest,
  newRunId: string,
  settings: StartSettings,
): Promise<Found> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const claim = await insertClaim(queries, request, newRunId, settings);
    if (claim) return { found: 'taken', claim };
    const present = await readPresent(queries, request);
    if (present) return present;
  }
  return { found: 'in progress', hasFailed: false, retryAfterSeconds: 1 };
}

/**
 * PostgreSQL locks the conflicting row before it evaluates the condition, so of two nodes at most one gets a row back.
 * An existing run keeps its id. An expired claim without a run is replaced, whatever its request was. Its attempt may
 * still be in progress, so the new claim has its own run id.
 */
async function insertClaim(
  queries: Queries,
  { accountId, idempotencyKey, endpoint, fingerprint }: StartRequest,
  newRunId: string,
  { claimHeldMs, givenUpAfterMs }: StartSettings,
): Promise<Taken | undefined> {
  const owner = randomUUID();
  const { rows } = await sql<{ state: Taken['state']; runId: string; isOverdue: boolean }>`
    insert into idempotency_claim as present
      (account_id, idempotency_key, endpoint, fingerprint, state, owner, run_id, held_until)
    values (${accountId}, ${idempotencyKey}, ${endpoint}, ${fingerprint}, 'CLAIMED', ${owner}, ${newRunId},
      service_now() + ${interval(claimHeldMs)})
    on conflict (account_id, idempotency_key) do update set
      endpoint = excluded.endpoint, fingerprint = excluded.fingerprint, owner = excluded.owner,
      held_until = service_now() + ${interval(claimHeldMs)}, has_failed = false,
      state = case present.state when 'CREATED' then 'CREATED' else 'CLAIMED' end,
      run_id = case present.state when 'CREATED' then present.run_id else excluded.run_id end,
      run_created_at = case present.state when 'CREATED' then present.run_created_at end,
      answer_status = null, answer_body = null, expires_at = null
    where case present.state
      when 'DONE' then present.expires_at <= service_now()
      when 'CLAIMED' then present.held_until <= service_now()
      else present.held_until <= service_now() and present.fingerprint = excluded.fingerprint
    end
    returning state, run_id as "runId",
      coalesce(run_created_at <= service_now() - ${interval(givenUpAfterMs)}, false) as "isOverdue"`.execute(queries);
  return rows[0] && { accountId, idempotencyKey, owner, ...rows[0] };
}

interface Present {
  isSame: boolean;
  /** The claim expired between the two statements. */
  isFree: boolean;
  hasFailed: boolean;
  secondsLeft: number;
  runId: string;
  status: number | null;
  body: string | null;
}

/**
 * Resolves to the existing claim; undefined if the key has become free meanwhile, for example after a refused start.
 */
async function readPresent(
  queries: Queries,
  { accountId, idempotencyKey, fingerprint }: StartRequest,
): Promise<Found | undefined> {
  const { rows } = await sql<Present>`
    select fingerprint = ${fingerprint} as "isSame", has_failed as "hasFailed",
      run_id as "runId", answer_status as status, answer_body as body,
      extract(epoch from held_until - now)::float8 as "secondsLeft",
      case state when 'DONE' then expires_at <= now when 'CLAIMED' then held_until <= now
        else held_until <= now and fingerprint = ${fingerprint} end as "isFree"
    from idempotency_claim, (select service_now() as now) as clock
    where account_id = ${accountId} and idempotency_key = ${idempotencyKey}`.execute(queries);
  const [present] = rows;
  if (!present || present.isFree) return undefined;
  if (!present.isSame) return { found: 'other request' };
  const { runId, status, body, hasFailed, secondsLeft } = present;
  if (status !== null && body !== null) return { found: 'answer', answer: { status, body }, runId };
  // An attempt in progress may finish at any moment; after a failure nothing changes before the hold ends.
  return { found: 'in progress', hasFailed, retryAfterSeconds: hasFailed ? Math.max(1, Math.ceil(secondsLeft)) : 1 };
}

/** Resolves to the run that this request would take over: it was created, and no attempt is handing it over. */
export async function findUnanswered(queries: Queries, request: StartRequest): Promise<string | undefined> {
  const { accountId, idempotencyKey, fingerprint } = request;
  const claim = await queries
    .selectFrom('idempotency_claim')
    .select('run_id')
    .where('account_id', '=', accountId)
    .where('idempotency_key', '=', idempotencyKey)
    .where('fingerprint', '=', fingerprint)
    .where('state', '=', 'CREATED')
    .where('held_until', '<=', sql<Date>`service_now()`)
    .executeTakeFirst();
  return claim?.run_id;
}

function ownClaim(queries: Queries, { accountId, idempotencyKey, owner }: Claim) {
  return queries
    .updateTable('idempotency_claim')
    .where('account_id', '=', accountId)
    .where('idempotency_key', '=', idempotencyKey)
    .where('owner', '=', owner);
}

/**
 * Marks the run as created, and fences the start's transaction: if it resolves to false, another attempt owns the key
 * and nothing may be committed.
 */
export async function markCreated(tx: Transaction, claim: Claim): Promise<boolean> {
  const { numUpdatedRows } = await ownClaim(tx, claim)
    .where('state', '=', 'CLAIMED')
    .set({ state: 'CREATED', run_created_at: sql<Date>`service_now()` })
    .executeTakeFirst();
  return numUpdatedRows > 0;
}

/** Stores the response, and fences the hand-over. Resolves to false if another attempt or the sweep was faster. */
export async function markDone(tx: Transaction, claim: Claim, answer: StoredAnswer): Promise<boolean> {
  const { numUpdatedRows } = await ownClaim(tx, claim)
    .where('state', '=', 'CREATED')
    .set({
      state: 'DONE',
      answer_status: answer.status,
      answer_body: answer.body,
      expires_at: sql<Date>`service_now() + interval '24 hours'`,
    })
    .executeTakeFirst();
  return numUpdatedRows > 0;
}

/** Deletes the claim after a refusal, so that the key can be used again. */
export async function deleteClaim(queries: Queries, { accountId, idempotencyKey, owner }: Claim): Promise<void> {
  await queries
    .deleteFrom('idempotency_claim')
    .where('account_id', '=', accountId)
    .where('idempotency_key', '=', idempotencyKey)
    .where('owner', '=', owner)
    .where('state', '=', 'CLAIMED')
    .execute();
}

/** Holds the key for a while after a failure, because the failed attempt may still take effect. */
export async function holdAfterFailure(queries: Queries, claim: Claim, { claimHeldMs }: StartSettings): Promise<void> {
  await ownClaim(queries, claim)
    .where('state', '<>', 'DONE')
    .set({ has_failed: true, held_until: sql<Date>`service_now() + ${interval(claimHeldMs)}` })
    .execute();
}

/** Resolves to created runs that were never handed over and that no attempt holds, in key order after `after`. */
export async function selectGivenUp(
  queries: Queries,
  endpoint: StartEndpoint,
  { givenUpAfterMs }: StartSettings,
  { after, limit }: { after: Pick<Claim, 'accountId' | 'idempotencyKey'>; limit: number },
): Promise<Claim[]> {
  const { rows } = await sql<Claim>`
    select account_id as "accountId", idempotency_key as "idempotencyKey", owner, run_id as "runId"
    from idempotency_claim, (select service_now() as now offset 0) as clock
    where state <> 'DONE' and held_until <= now and state = 'CREATED' and endpoint = ${endpoint}
      and run_created_at <= now - ${interval(givenUpAfterMs)}
      and (account_id, idempotency_key) > (${after.accountId}, ${after.idempotencyKey})
    order by account_id, idempotency_key limit ${limit}`.execute(queries);
  return rows;
}

/**
 * Deletes responses that are no longer replayed, and claims whose attempt died without creating a run. Selects rows by
 * ctid: a join by key takes quadratic time while PostgreSQL has no statistics for the table.
 */
export async function deleteOldClaims(queries: Queries, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from idempotency_claim where ctid = any(array(
      select idempotency_claim.ctid from idempotency_claim, (select service_now() as now offset 0) as clock
      where (state = 'DONE' and expires_at <= now)
        or (state <> 'DONE' and state = 'CLAIMED' and held_until <= now - interval '1 hour')
      limit ${limit} for update of idempotency_claim skip locked))`.execute(queries);
  return Number(numAffectedRows ?? 0);
}
