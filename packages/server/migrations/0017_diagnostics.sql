-- What the checks of a run planned, sent and judged at each insertion point, without secrets. For operators only; deleted
-- with the evidence.
create table diagnostic (
  id bigint generated always as identity primary key,
  pentest_id text not null references pentest,
  epoch integer not null,
  event text not null check (event in ('PLANNED', 'NOT_PLANNED', 'SKIPPED', 'SENT', 'JUDGED', 'THREW')),
  checks text[] not null,
  method text not null,
  url text not null,
  parameter text,
  location text,
  account text,
  verdict text check (verdict in ('PROVED', 'LIKELY', 'REFUTED', 'VOID')),
  reason text not null,
  requests jsonb not null,
  created_at timestamptz not null default service_now()
);

create index diagnostic_of_run on diagnostic (pentest_id, id);
create index diagnostic_age on diagnostic (created_at);

-- How much of a run's diagnostics is stored, and how many were dropped because that is limited.
create table diagnostic_total (
  pentest_id text primary key references pentest,
  kept integer not null default 0 check (kept >= 0),
  bytes bigint not null default 0 check (bytes >= 0),
  not_kept bigint not null default 0 check (not_kept >= 0),
  last_at timestamptz not null default service_now()
);
