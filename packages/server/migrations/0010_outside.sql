-- Who listens for the calls of targets that were made to call us, and when it last said so, on the real clock.
create table listener (
  url text primary key,
  zone text,
  seen_at timestamptz not null default clock_timestamp()
);

-- What it has heard. A label stands for one request of one run, and only that run can tell which.
create table outside_call (
  label text not null check (length(label) <= 63),
  kind text not null check (kind in ('http', 'dns')),
  detail text not null check (length(detail) <= 40),
  source text not null check (length(source) <= 50),
  heard_at timestamptz not null default service_now(),
  primary key (label, kind, detail, source)
);

create index outside_call_age on outside_call (heard_at);
