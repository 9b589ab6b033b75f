-- Who works on a run. Leases run on the real clock. Every write of a worker names the epoch it was given, and is refused
-- once somebody else, or a cancellation, has raised it. `attempts` counts those since the last step was finished.
alter table pentest
  add column lease_owner text,
  add column lease_epoch integer not null default 0,
  add column lease_until timestamptz,
  add column attempts integer not null default 0,
  -- What the engine has used, in finished steps only.
  add column engine_ms bigint not null default 0 check (engine_ms >= 0),
  add column requests bigint not null default 0 check (requests >= 0),
  add column model_microdollars bigint not null default 0 check (model_microdollars >= 0),
  add column script jsonb,
  add column summary text,
  -- When a reviewer signed the report off.
  add column released_at timestamptz;

create index pentest_work on pentest (handed_over_at, id) where completed_at is null and handed_over_at is not null;
drop index pentest_queue;

-- A step's effects are there once, however often it was tried.
create table pentest_step (
  pentest_id text not null references pentest,
  name text not null,
  phase text not null,
  epoch integer not null,
  engine_ms bigint not null check (engine_ms >= 0),
  requests bigint not null check (requests >= 0),
  model_microdollars bigint not null check (model_microdollars >= 0),
  completed_at timestamptz not null default service_now(),
  primary key (pentest_id, name)
);

-- How the charge of a run came about: everything the formula needs, as it was when the run ended. The review share is
-- decided later, at sign-off.
create table charge_statement (
  pentest_id text primary key references pentest,
  outcome text not null check (outcome in ('COMPLETED', 'FAILED', 'CANCELLED')),
  started boolean not null,
  testing_reserved bigint not null,
  review_reserved bigint not null,
  engine_ms bigint not null,
  max_minutes integer not null,
  requests bigint not null,
  max_requests integer not null,
  model_microdollars bigint not null,
  model_budget_microdollars bigint not null,
  minimum bigint not null,
  testing_charged bigint not null check (testing_charged between 0 and testing_reserved),
  review_charged bigint check (review_charged between 0 and review_reserved),
  created_at timestamptz not null default service_now()
);

-- Staff of the platform, not of any account.
create table staff_member (
  user_id text primary key references identity."user",
  role text not null check (role in ('REVIEWER', 'OPERATOR')),
  created_at timestamptz not null default service_now()
);

-- One for each completed run with expert review.
create table report_review (
  pentest_id text primary key references pentest,
  state text not null default 'WAITING' check (state in ('WAITING', 'TAKEN', 'SIGNED_OFF', 'REJECTED')),
  reviewer_id text references staff_member,
  notes text not null default '',
  created_at timestamptz not null default service_now(),
  taken_at timestamptz,
  decided_at timestamptz,
  check ((state = 'WAITING') = (reviewer_id is null)),
  check ((state in ('SIGNED_OFF', 'REJECTED')) = (decided_at is not null))
);

create index report_review_open on report_review (created_at, pentest_id) where state <> 'SIGNED_OFF';

alter table pentest_finding
  add column excluded_at timestamptz,
  add column edited_at timestamptz;

alter table scan
  add column lease_owner text,
  add column lease_epoch integer not null default 0,
  add column lease_until timestamptz,
  add column attempts integer not null default 0,
  add column script jsonb;

create index scan_work on scan (handed_over_at, id) where completed_at is null and handed_over_at is not null;
drop index scan_queue;

-- What the engine plays instead of testing (environment test), for one account or for all.
create table engine_script (
  account_id text primary key,
  script jsonb not null
);
