import type { TestDatabase } from '../database/database.ts';

/** A write to a run: who made it, and who held the lease. */
export interface Change {
  runId: string;
  /** The database user of the writer. */
  writer: string;
  kind: 'take' | 'step' | 'phase' | 'renew' | 'release' | 'end' | 'other';
  from: string;
  to: string;
  wasOver: boolean;
  owner: string | null;
}

/** A saved step. */
export interface SavedStep {
  runId: string;
  name: string;
  epoch: number;
  /** The run's epoch when the step was saved. */
  epochOfRun: number;
  wasOver: boolean;
}

/** Observes runs with database triggers, so that no committed change is missed. */
export async function observeRuns({ database: { pool } }: TestDatabase): Promise<void> {
  await pool.query(tables);
  await pool.query(changes);
  await pool.query(refusals);
  await pool.query(cuts);
}

const tables = `
  create schema observed;
  create table observed.change (
    number bigint generated always as identity primary key,
    at timestamptz not null default clock_timestamp(),
    writer text not null default session_user,
    run_id text, kind text, from_status text, to_status text, was_over boolean, owner text, is_scripted boolean);
  create index on observed.change (writer, at) where kind = 'release';
  create table observed.step (run_id text, name text, epoch integer, epoch_of_run integer, was_over boolean);
  create table observed.refusal (writer text not null default session_user);`;

const changes = `
  create function observed.kind_of(before pentest, after pentest) returns text language sql immutable as $$ select case
    when before.completed_at is null and after.completed_at is not null then 'end'
    when before.lease_epoch <> after.lease_epoch then 'take'
    when (before.requests, before.engine_ms) <> (after.requests, after.engine_ms) then 'step'
    when after.lease_until < before.lease_until or before.lease_until is not null and after.lease_until is null
      then 'release'
    when before.lease_until is distinct from after.lease_until then 'renew'
    when before.handed_over_at is distinct from after.handed_over_at then 'other'
    else 'phase' end $$;
  -- Whether the step that the run is at ends its engine by itself.
  create function observed.is_scripted(run pentest) returns boolean language sql stable as $$
    select coalesce((run.script->'steps'->(select count(*)::integer from pentest_step where pentest_id = run.id)
      ->'crash'->>'times')::integer >= run.attempts, false) $$;
  create function observed.note_change() returns trigger language plpgsql as $$ begin
    insert into observed.change (run_id, kind, from_status, to_status, was_over, owner, is_scripted)
    select new.id, kind, old.status, new.status, old.completed_at is not null, new.lease_owner,
      case kind when 'release' then observed.is_scripted(new) end
    from observed.kind_of(old, new) as kind;
    return null;
  end $$;
  create trigger note_change after update on pentest for each row execute function observed.note_change();
  create function observed.note_step() returns trigger language plpgsql as $$ begin
    insert into observed.step select new.pentest_id, new.name, new.epoch, lease_epoch, completed_at is not null
      from pentest where id = new.pentest_id;
    return null;
  end $$;
  create trigger note_step after insert on pentest_step for each row execute function observed.note_step();`;

/** Records updates that match no run. Queries for a run to take and lease renewals do not count. */
const refusals = `
  create function observed.note_refusal() returns trigger language plpgsql as $$ begin
    if not exists (select from written) and current_query() !~ 'lease_owner|unnest' then
      insert into observed.refusal default values;
    end if;
    return null;
  end $$;
  create trigger note_refusal after update on pentest referencing new table as written
    for each statement execute function observed.note_refusal();`;

/**
 * The first function polls fast enough to see transactions of a few milliseconds, and terminates all sessions of a
 * worker while one is open. The second also terminates every new session.
 */
const cuts = `
  create function observed.cut_off(worker text, within interval) returns boolean language plpgsql as $$
  declare
    give_up_at timestamptz := clock_timestamp() + within;
    is_writing boolean;
  begin
    loop
      perform pg_stat_clear_snapshot();
      select coalesce(bool_or(state in ('active', 'idle in transaction') and xact_start is not null
          and query ~ '"attempts" = |engine_ms \\+|pentest_step|pentest_finding|charge_statement'), false)
        into is_writing from pg_stat_activity where usename = worker;
      exit when is_writing or clock_timestamp() > give_up_at;
      perform pg_sleep(0.001);
    end loop;
    perform pg_terminate_backend(pid) from pg_stat_activity where usename = worker;
    return is_writing;
  end $$;
  create function observed.keep_out(worker text, during interval) returns void language plpgsql as $$
  declare until timestamptz := clock_timestamp() + during;
  begin
    while clock_timestamp() < until loop
      perform pg_stat_clear_snapshot();
      perform pg_terminate_backend(pid) from pg_stat_activity where usename = worker and
        application_name in ('sortie', 'sortie worker');
      perform pg_sleep(0.005);
    end loop;
  end $$;`;

/** Terminates all sessions of a worker. Resolves to whether it was just writing the progress of a run. */
export async function cutOff({ database }: TestDatabase, writer: string, withinMs: number): Promise<boolean> {
  const { rows } = await database.pool.query<{ cut: boolean }>(
    'select observed.cut_off($1, make_interval(secs => $2)) as cut',
    [writer, withinMs / 1000],
  );
  return rows[0]?.cut ?? false;
}

/** Keeps a worker disconnected from the database for a while. */
export async function keepOut({ database }: TestDatabase, writer: string, forMs: number): Promise<void> {
  await database.pool.query('select observed.keep_out($1, make_interval(secs => $2))', [writer, forMs / 1000]);
}

export async function readChanges({ database: { pool } }: TestDatabase): Promise<Change[]> {
  const { rows } = await pool.query<Change>(`
    select run_id as "runId", writer, kind, from_status as "from", to_status as "to", was_over as "wasOver", owner
    from observed.change order by number`);
  return rows;
}

export async function readSavedSteps({ database: { pool } }: TestDatabase): Promise<SavedStep[]> {
  const { rows } = await pool.query<SavedStep>(`
    select run_id as "runId", name, epoch, epoch_of_run as "epochOfRun", was_over as "wasOver" from observed.step`);
  return rows;
}

/** Resolves to the writer of each update that changed nothing because the lease was lost or the run over. */
export async function readRefusals({ database: { pool } }: TestDatabase): Promise<{ writer: string }[]> {
  return (await pool.query<{ writer: string }>('select writer from observed.refusal')).rows;
}

export async function databaseNow({ database: { pool } }: TestDatabase): Promise<Date> {
  return (await pool.query('select clock_timestamp() as now')).rows[0].now;
}

/** Resolves to whether this worker has released a run since then because its engine ended unscripted. */
export async function hasLostEngine({ database }: TestDatabase, writer: string, since: Date): Promise<boolean> {
  const { rows } = await database.pool.query(
    `select from observed.change where writer = $1 and kind = 'release' and at > $2 and not is_scripted limit 1`,
    [writer, since],
  );
  return rows.length > 0;
}

/** A run with a valid lease. */
export interface Leased {
  id: string;
  owner: string;
}

export async function readLeased({ database }: TestDatabase): Promise<Leased[]> {
  const { rows } = await database.pool.query<Leased>(`
    select id, lease_owner as owner from pentest
    where completed_at is null and lease_until > clock_timestamp()`);
  return rows;
}
