import { type RawBuilder, sql } from 'kysely';
import type { Queries } from '../db/database.ts';

/**
 * Recomputes the ledger from its journal and resolves with a description of each difference; empty if all is well. A
 * single statement, hence one snapshot, so it can run concurrently with writes. The numbers are those of the README.
 */
export async function checkInvariants(queries: Queries, accountId?: string): Promise<string[]> {
  const account = accountId === undefined ? sql<boolean>`true` : sql<boolean>`account_id = ${accountId}`;
  const { rows } = await sql<{ violation: string }>`
    with the_grant as (select * from credit_grant where ${account}),
      the_hold as (select * from credit_hold where ${account}),
      the_operation as (select * from credit_operation where ${account}),
      the_slice as (select credit_slice.*, account_id from credit_slice join the_hold using (run_id)),
      the_entry as (
        select credit_entry.*, account_id, type, part, run_id, created_at
        from credit_entry join the_operation on sequence = operation_sequence
      ),
      the_part as (${partsOfHolds})
    ${sql.join(checks, sql` union all `)}`.execute(queries);
  return rows.map((row) => row.violation);
}

const partsOfHolds = sql`
  select run_id, state, 'testing' as part, testing_reserved as reserved, testing_charged as charged from the_hold
  union all
  select run_id, state, 'review', review_reserved, review_charged from the_hold`;

const conservation = sql`
  select format('2: the places of grant %s do not add up to its amount', id) as violation from the_grant
  where available + held + spent + expired + removed + moved <> amount
    or least(available, held, spent, expired, removed, moved) < 0`;

const journalReplay = sql`
  select format('3: the journal of grant %s says otherwise than its row', the_grant.id)
  from the_grant left join (
    select grant_id,
      coalesce(sum(amount) filter (where from_place = 'issued'), 0) as issued,
      coalesce(sum(amount) filter (where to_place = 'available'), 0)
        - coalesce(sum(amount) filter (where from_place = 'available'), 0) as available,
      coalesce(sum(amount) filter (where to_place = 'held'), 0)
        - coalesce(sum(amount) filter (where from_place = 'held'), 0) as held,
      coalesce(sum(amount) filter (where to_place = 'spent'), 0) as spent,
      coalesce(sum(amount) filter (where to_place = 'expired'), 0) as expired,
      coalesce(sum(amount) filter (where to_place = 'removed'), 0) as removed,
      coalesce(sum(amount) filter (where to_place = 'moved'), 0) as moved
    from the_entry group by grant_id
  ) as replayed on replayed.grant_id = the_grant.id
  where (replayed.issued, replayed.available, replayed.held, replayed.spent, replayed.expired, replayed.removed, replayed.moved)
    is distinct from (the_grant.amount, the_grant.available, the_grant.held, the_grant.spent, the_grant.expired, the_grant.removed, the_grant.moved)`;

const ownAccount = sql`
  select format('3: operation %s of account %s moves grant %s of another account', operation_sequence, the_entry.account_id, grant_id)
  from the_entry join credit_grant on credit_grant.id = grant_id where credit_grant.account_id <> the_entry.account_id
  union all
  select format('5: run %s of account %s holds grant %s of another account', run_id, the_slice.account_id, grant_id)
  from the_slice join credit_grant on credit_grant.id = grant_id where credit_grant.account_id <> the_slice.account_id`;

/** Every type of operation books its credits to one destination, and consists of known moves only. */
const operations = sql`
  select format('4: the entries of operation %s (%s) do not add up to its %s credits', id, type, credits)
  from the_operation left join lateral (
    select coalesce(sum(amount) filter (where to_place = case type
        when 'GRANT' then 'available' when 'HOLD' then 'held' when 'CHARGE' then 'spent' when 'RETURN' then 'available'
        when 'EXPIRE' then 'expired' else case when credits > 0 then 'available' else 'removed' end end), 0) as arrived,
      coalesce(sum(amount) filter (where to_place = 'moved'), 0) as moved,
      coalesce(sum(amount) filter (where from_place = 'issued'), 0) as issued,
      count(*) filter (where (from_place, to_place) not in (select * from (values ('issued', 'available'),
        ('available', 'held'), ('held', 'spent'), ('held', 'available'), ('held', 'moved'), ('available', 'expired'),
        ('available', 'removed')) as known)) as unknown
    from credit_entry where operation_sequence = sequence
  ) as entries on true
  where arrived <> abs(credits) or unknown > 0
    or (type = 'RETURN' and moved <> issued)
    or (type <> 'RETURN' and moved > 0)
    or (issued > 0 and not (type in ('GRANT', 'RETURN') or (type = 'ADJUST' and credits > 0)))
    or (type <> 'ADJUST' and (credits > 0) <> (type in ('GRANT', 'RETURN')))`;

const balanceAfter = sql`
  select format('4: operation %s says a balance of %s and %s held, its journal says %s and %s',
    id, available_after, held_after, available, held)
  from (
    select id, available_after, held_after,
      sum(available) over so_far as available, sum(held) over so_far as held
    from the_operation cross join lateral (
      select
        coalesce(sum(case 'available' when to_place then amount when from_place then -amount end), 0) as available,
        coalesce(sum(case 'held' when to_place then amount when from_place then -amount end), 0) as held
      from credit_entry where operation_sequence = sequence
    ) as change
    window so_far as (partition by account_id order by sequence)
  ) as replayed
  where (available, held) is distinct from (available_after::numeric, held_after::numeric)`;

const partsAndSlices = sql`
  select format('5: the slices of run %s (%s) do not add up to what the hold says', run_id, part)
  from the_part left join lateral (
    select coalesce(sum(amount), 0) as amount, coalesce(sum(charged), 0) as charged, coalesce(sum(returned), 0) as returned
    from credit_slice where credit_slice.run_id = the_part.run_id and credit_slice.part = the_part.part
  ) as slices on true
  where slices.amount <> reserved or slices.charged <> coalesce(the_part.charged, 0)
    or slices.returned <> coalesce(reserved - the_part.charged, 0)`;

const heldIsOpenSlices = sql`
  select format('5: grant %s does not hold what its open slices say', the_grant.id)
  from the_grant left join lateral (
    select coalesce(sum(amount - charged - returned), 0) as open from credit_slice where grant_id = the_grant.id
  ) as slices on true
  where held <> open`;

const stateAndParts = sql`
  select format('6: run %s is %s, which its parts contradict', run_id, state) from the_part
  group by run_id, state
  having (state = 'RESERVED') <> bool_or(charged is null) or (state = 'RETURNED' and coalesce(sum(charged), 0) <> 0)`;

const partsAndJournal = sql`
  select format('6: the journal of run %s (%s) says otherwise than its hold', run_id, part)
  from the_part left join lateral (
    select coalesce(-sum(credits) filter (where type = 'HOLD'), 0) as held,
      coalesce(-sum(credits) filter (where type = 'CHARGE'), 0) as charged,
      coalesce(sum(credits) filter (where type = 'RETURN'), 0) as returned
    from credit_operation where credit_operation.run_id = the_part.run_id and credit_operation.part = the_part.part
  ) as journal on true
  where journal.held <> reserved or journal.charged <> coalesce(the_part.charged, 0)
    or journal.returned <> coalesce(reserved - the_part.charged, 0)`;

const expiry = sql`
  select format('7: operation %s (%s) moved grant %s on the wrong side of its expiry', operation_sequence, type, grant_id)
  from the_entry join the_grant on the_grant.id = grant_id
  where (type = 'EXPIRE' or to_place = 'moved') and (expires_at is null or the_entry.created_at < expires_at)
    or (to_place in ('held', 'available') or type = 'ADJUST') and the_entry.created_at >= expires_at
      and not (type = 'RETURN' and exists (
        select from the_entry as expiry
        where expiry.type = 'EXPIRE' and (expiry.grant_id, expiry.run_id, expiry.part, expiry.amount, expiry.created_at)
          = (the_entry.grant_id, the_entry.run_id, the_entry.part, the_entry.amount, the_entry.created_at)))`;

const children = sql`
  select format('8: grant %s is no proper child of grant %s', child.id, parent.id)
  from the_grant as child join credit_grant as parent on parent.id = child.parent_id
  where (child.account_id, child.source) <> (parent.account_id, parent.source)
    or parent.parent_id is not null
    or child.expires_at is distinct from interval '7 days' + (
      select created_at from credit_grant where account_id = parent.account_id and parent_id = parent.id order by id limit 1)
  union all
  select format('8: grant %s moved other credits than its children got', parent.id)
  from the_grant as parent
  left join (select parent_id, sum(amount) as amount from the_grant group by parent_id) as child on child.parent_id = parent.id
  where moved <> coalesce(child.amount, 0)`;

const cycles = sql`
  select format('9: run %s counts in the cycle %s but was held in another', run_id, cycle)
  from the_hold where cycle <> (date_trunc('month', created_at, 'UTC') at time zone 'UTC')::date`;

const checks: RawBuilder<unknown>[] = [
  conservation,
  journalReplay,
  ownAccount,
  operations,
  balanceAfter,
  partsAndSlices,
  heldIsOpenSlices,
  stateAndParts,
  partsAndJournal,
  expiry,
  children,
  cycles,
];
