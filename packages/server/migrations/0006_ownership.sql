-- What is looked for at the place that a verification speaks for. It is put where everybody can see it: no secret. An
-- attestation has no use for its own.
alter table verification
  add column token text not null default replace(gen_random_uuid()::text, '-', '') check (token ~ '^[0-9A-Za-z]{32}$');

-- Each look for a token: those that wait for a worker and those that were made. `pentest_id` is of those that a run makes
-- for itself; all others are asked for by somebody. Leases are as those of runs.
create table ownership_check (
  id text primary key,
  account_id text not null references account,
  verification_id text not null references verification,
  pentest_id text references pentest,
  asked_by text,
  asked_at timestamptz not null default service_now(),
  lease_owner text,
  lease_epoch integer not null default 0,
  lease_until timestamptz,
  attempts integer not null default 0,
  completed_at timestamptz,
  outcome text check (outcome in ('FOUND', 'NOT_FOUND', 'UNKNOWN')),
  message text,
  look_ups jsonb,
  egress jsonb,
  check ((pentest_id is null) = (asked_by is not null)),
  check (num_nulls(completed_at, outcome, message, look_ups, egress) in (0, 5))
);

-- Whoever asks while somebody waits for the answer waits for the same.
create unique index ownership_check_waiting on ownership_check (verification_id) where completed_at is null;
create index ownership_check_work on ownership_check (asked_at, id) where completed_at is null;
create index ownership_check_history on ownership_check (verification_id, asked_at desc, id desc);

-- Rules of engagement. Times of day are UTC; a window whose end is before its beginning crosses midnight.
alter table target
  add column excluded_paths text[] not null default '{}' check (cardinality(excluded_paths) <= 50),
  add column requests_per_second integer check (requests_per_second between 1 and 50),
  add column window_from time,
  add column window_to time,
  add column emergency_contact text check (char_length(emergency_contact) between 1 and 200),
  add check ((window_from is null) = (window_to is null)),
  add check (window_from <> window_to);

-- For how long the window stays open: 0 when it is closed, null when there is none and it is always open.
create function window_left_ms(window_from time, window_to time, moment timestamptz) returns bigint
language sql immutable strict as $$
  select greatest(0, open_for - gone) from (
    select
      (86400000 + (extract(epoch from window_to - window_from) * 1000)::bigint) % 86400000 as open_for,
      (86400000 + (extract(epoch from (moment at time zone 'UTC')::time - window_from) * 1000)::bigint) % 86400000 as gone
  ) as today
$$;

-- Who let a run begin, and by which rules, as they were at that moment.
create table consent (
  pentest_id text primary key references pentest,
  user_id text not null references identity."user",
  api_key_id text references api_key,
  verification_id text not null references verification,
  rules jsonb not null,
  created_at timestamptz not null default service_now()
);
