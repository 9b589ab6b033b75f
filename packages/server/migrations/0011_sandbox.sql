-- Stories that are being played (environment test only): which act comes next, and when, on the real clock.
create table sandbox_run (
  run_id text primary key,
  story text not null,
  -- Of the lease that keeps workers away from the run.
  epoch integer not null,
  position integer not null default 0,
  due_at timestamptz not null
);

create index sandbox_run_due on sandbox_run (due_at);

-- How often a story was started with a key, and since when: some answer the first time, or at first, differently.
create table sandbox_start (
  account_id text not null references account,
  idempotency_key text not null,
  attempts integer not null default 1,
  first_at timestamptz not null default clock_timestamp(),
  primary key (account_id, idempotency_key)
);

-- The names of stories lead nowhere, so an operator may vouch for all of them at once.
alter table verification
  drop constraint verification_check,
  add check ((method = 'dns') = (covered_name is not null)
    or (method = 'attestation' and covered_name = 'sandbox.example'));

-- A status that no client knows, for the story about one.
alter table pentest
  drop constraint pentest_status_check,
  add constraint pentest_status_check check (
    status in ('QUEUED', 'VERIFYING', 'RECON', 'ENUMERATION', 'WEB_TEST', 'API_TEST', 'ANALYSIS', 'REPORTING',
      'COMPLETED', 'FAILED', 'CANCELLED', 'AWAITING_PAYMENT', 'PAUSED')
    or (status = 'CALIBRATION' and lease_owner is not distinct from 'sandbox'));
