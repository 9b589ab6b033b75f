-- When somebody first worked on a scan, on the service clock: what one host is scanned for an hour is counted by it.
-- Empty for scans of hosts that want none.
alter table scan add column taken_at timestamptz;

create index scan_taken on scan (taken_at, host) where taken_at is not null;
create index scan_leased on scan (host) where completed_at is null and lease_until is not null;

-- Hosts whose owners want no scans, each with all below it.
create table scan_opt_out (
  host text primary key check (host = lower(host) and host <> ''),
  created_at timestamptz not null default service_now()
);

create function has_opted_out(scanned text) returns boolean language sql stable as $$
  select exists (
    select from scan_opt_out where scanned = host or right(scanned, length(host) + 1) = '.' || host)
$$;

-- The oldest scan that waits, or whose worker is gone, of a host that has not enough of them already. Whoever takes one
-- holds the lock for as long as this takes: each statement below sees all that was taken before.
create function take_scan(worker text, lease interval, at_once integer, an_hour integer)
returns table (id text, epoch integer, url text, attempts integer, script jsonb, is_opted_out boolean)
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('sortie take scan', 0));
  return query
  with busy as materialized (
    select scan.host from scan
    where scan.completed_at is null and scan.lease_until > clock_timestamp()
    group by scan.host having count(*) >= at_once
  ), sated as materialized (
    select scan.host from scan
    where scan.taken_at > (select service_now()) - interval '1 hour'
    group by scan.host having count(*) >= an_hour
  ), next as (
    select scan.id, has_opted_out(scan.host) as is_unwanted from scan
    where scan.completed_at is null and scan.handed_over_at is not null
      and (scan.lease_until is null or scan.lease_until <= clock_timestamp())
      and scan.host not in (select busy.host from busy where not has_opted_out(busy.host))
      -- One that was counted before is not held up by itself.
      and (scan.taken_at is not null
        or scan.host not in (select sated.host from sated where not has_opted_out(sated.host)))
    order by scan.handed_over_at, scan.id limit 1 for update skip locked
  )
  update scan set
    lease_owner = worker, lease_epoch = scan.lease_epoch + 1, lease_until = clock_timestamp() + lease,
    attempts = scan.attempts + 1,
    taken_at = case when next.is_unwanted then scan.taken_at else coalesce(scan.taken_at, service_now()) end,
    script = coalesce(scan.script, (
      select engine_script.script from engine_script where engine_script.account_id in (scan.account_id, '*')
      order by engine_script.account_id = '*' limit 1))
  from next where scan.id = next.id
  returning scan.id, scan.lease_epoch, scan.url, scan.attempts, scan.script, next.is_unwanted;
end $$;
