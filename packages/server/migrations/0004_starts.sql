-- One row for each Idempotency-Key that an account is using. CLAIMED: somebody is starting the run, or died trying.
-- CREATED: the run and its hold are committed, but it is not in the queue yet. DONE: the answer is known, and given
-- again until it expires. `owner` changes with every attempt: whoever no longer finds their own has been overtaken.
create table idempotency_claim (
  account_id text not null references account,
  idempotency_key text collate "C" not null check (idempotency_key ~ '^[\x21-\x7e]{1,255}$'),
  endpoint text not null check (endpoint in ('POST /v1/pentests', 'POST /v1/scans')),
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  state text not null check (state in ('CLAIMED', 'CREATED', 'DONE')),
  owner uuid not null,
  run_id text not null,
  held_until timestamptz not null,
  -- Whether the attempt that holds it has ended with a 500.
  has_failed boolean not null default false,
  run_created_at timestamptz,
  answer_status integer,
  answer_body text,
  expires_at timestamptz,
  primary key (account_id, idempotency_key),
  check ((state = 'CLAIMED') = (run_created_at is null)),
  check ((state = 'DONE') = (answer_status is not null and answer_body is not null and expires_at is not null))
);

create index idempotency_claim_unfinished on idempotency_claim (held_until) where state <> 'DONE';
create index idempotency_claim_expiry on idempotency_claim (expires_at) where state = 'DONE';

-- `handed_over_at` is the run's place in the queue: without it, nobody may pick the run up.
create table pentest (
  id text primary key,
  account_id text not null references account,
  user_id text not null references identity."user",
  api_key_id text references api_key,
  target_id text not null,
  verification_id text not null references verification,
  target_url text not null,
  depth text not null check (depth in ('LEAD', 'STANDARD', 'DEEP', 'EXTENDED', 'MAXIMUM')),
  expert_review boolean not null,
  -- The level as it was sold: what the operator changes later is for later runs.
  max_minutes integer not null check (max_minutes > 0),
  max_requests integer not null check (max_requests > 0),
  model_budget_microdollars bigint not null check (model_budget_microdollars > 0),
  status text not null default 'QUEUED' check (status in ('QUEUED', 'VERIFYING', 'RECON', 'ENUMERATION', 'WEB_TEST',
    'API_TEST', 'ANALYSIS', 'REPORTING', 'COMPLETED', 'FAILED', 'CANCELLED', 'AWAITING_PAYMENT', 'PAUSED')),
  created_at timestamptz not null default service_now(),
  handed_over_at timestamptz,
  started_at timestamptz,
  completed_at timestamptz,
  unique (id, account_id),
  foreign key (account_id, target_id) references target (account_id, id),
  check ((completed_at is not null) = (status in ('COMPLETED', 'FAILED', 'CANCELLED'))),
  check (started_at is null or handed_over_at is not null)
);

create index pentest_account on pentest (account_id, created_at desc, id desc);
create index pentest_not_over on pentest (account_id) where completed_at is null;
create index pentest_queue on pentest (handed_over_at, id) where status = 'QUEUED';

-- The same finding of a run is kept once.
create table pentest_finding (
  id text primary key,
  pentest_id text not null references pentest,
  title text not null,
  description text,
  severity text not null check (severity in ('CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO')),
  confidence text not null check (confidence in ('CONFIRMED', 'FIRM', 'TENTATIVE')),
  affected_url text,
  remediation text,
  cvss_score numeric(3, 1) check (cvss_score between 0 and 10),
  cwe_id integer check (cwe_id > 0),
  method text,
  parameter text,
  fingerprint text not null,
  created_at timestamptz not null default service_now(),
  unique (pentest_id, fingerprint)
);

create table scan (
  id text primary key,
  account_id text not null references account,
  user_id text not null references identity."user",
  api_key_id text references api_key,
  url text not null,
  host text not null,
  domain text not null,
  status text not null default 'STARTED' check (status in ('STARTED', 'COMPLETED')),
  algorithm_version integer not null,
  score integer check (score between 0 and 100),
  grade text check (grade in ('A+', 'A', 'B', 'C', 'D', 'F')),
  checks_passed integer,
  checks_failed integer,
  checks_not_run integer,
  failure_code text,
  failure_message text,
  created_at timestamptz not null default service_now(),
  handed_over_at timestamptz,
  completed_at timestamptz,
  check ((status = 'COMPLETED') = (completed_at is not null)),
  check (num_nulls(score, grade, checks_passed, checks_failed, checks_not_run) in (0, 5)),
  check ((failure_code is null) = (failure_message is null)),
  -- A completed scan has been judged or says why not, never both.
  check ((status = 'COMPLETED') = (score is not null or failure_code is not null)),
  check (score is null or failure_code is null)
);

create index scan_account on scan (account_id, created_at);
create index scan_queue on scan (handed_over_at, id) where status = 'STARTED';

create table scan_finding (
  id text primary key,
  scan_id text not null references scan,
  check_id text not null,
  title text not null,
  description text not null,
  severity text not null check (severity in ('CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO')),
  confidence text not null check (confidence in ('CONFIRMED', 'FIRM', 'TENTATIVE')),
  category text not null,
  affected_url text,
  evidence text,
  remediation text not null,
  cwe_id integer check (cwe_id > 0),
  score_impact integer not null check (score_impact between 0 and 100),
  "references" text[] not null default '{}'
);

create index scan_finding_scan on scan_finding (scan_id);

-- Faults that an operator orders in environment test, each used up as it happens.
create table fault (
  name text primary key,
  remaining integer not null check (remaining >= 0)
);
