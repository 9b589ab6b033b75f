-- Where a scan connects to, each as "address port": first what its URL leads to, in the end all that it has contacted.
-- Addresses that the operator allows are not among them. `placed_at` is when it was admitted there, on the service clock.
alter table scan add column places text[] not null default '{}', add column placed_at timestamptz;

create index scan_placed on scan (placed_at) where placed_at is not null;

-- Places with as many scans under way as they may have, this one not counted.
create function busy_places(at_once integer, except_scan text default '') returns text[] language sql stable as $$
  select coalesce(array_agg(place), '{}') from (
    select place from scan cross join unnest(scan.places) as place
    where scan.completed_at is null and scan.lease_until > clock_timestamp()
      and scan.placed_at is not null and scan.id <> except_scan
    group by place having count(*) >= at_once) as full_ones
$$;

-- Places with as many scans begun in the last hour as they may have.
create function sated_places(an_hour integer) returns text[] language sql stable as $$
  select coalesce(array_agg(place), '{}') from (
    select place from scan cross join unnest(scan.places) as place
    where scan.placed_at > (select service_now()) - interval '1 hour'
    group by place having count(*) >= an_hour) as full_ones
$$;

-- As `take_scan` with four parameters, which a node of the release before may still call, without those that are known to
-- lead to a place that has enough scans already.
create function take_scan(
  worker text, lease interval, at_once integer, an_hour integer, place_at_once integer, place_an_hour integer)
returns table (id text, epoch integer, url text, attempts integer, script jsonb, is_opted_out boolean)
language plpgsql as $$
declare
  busy_here text[];
  sated_here text[];
begin
  perform pg_advisory_xact_lock(hashtextextended('sortie take scan', 0));
  busy_here := busy_places(place_at_once);
  sated_here := sated_places(place_an_hour);
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
      and not scan.places && busy_here
      and (scan.placed_at is not null or not scan.places && sated_here)
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

-- Whether a scan that a worker has taken may go on to these places. If not, it is back in the queue as if it had not been
-- taken, and `take_scan` leaves it there until the places are free.
create function admit_scan(scan_id text, epoch integer, wanted text[], place_at_once integer, place_an_hour integer)
returns boolean language plpgsql as $$
declare
  is_full boolean;
begin
  perform pg_advisory_xact_lock(hashtextextended('sortie take scan', 0));
  select wanted && busy_places(place_at_once, scan_id)
    or (scan.placed_at is null and wanted && sated_places(place_an_hour))
    into is_full from scan where scan.id = scan_id;
  if is_full then
    update scan set places = wanted, lease_until = null, attempts = scan.attempts - 1,
      taken_at = case when scan.placed_at is null then null else scan.taken_at end
    where scan.id = scan_id and scan.lease_epoch = epoch and scan.completed_at is null;
    return false;
  end if;
  update scan set places = wanted, placed_at = coalesce(scan.placed_at, service_now())
  where scan.id = scan_id and scan.lease_epoch = epoch and scan.completed_at is null;
  return true;
end $$;
