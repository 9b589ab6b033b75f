-- Repeats the proofs of findings of a released run. It is no pentest: the public API does not know it, and it costs
-- nothing. It counts as a run of the account while it is not over.
create table retest (
  id text primary key,
  account_id text not null references account,
  target_id text not null,
  pentest_id text not null references pentest,
  user_id text not null references identity."user",
  created_at timestamptz not null default service_now(),
  -- On the real clock, for the limit per hour.
  asked_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  completed_at timestamptz,
  lease_owner text,
  lease_epoch integer not null default 0,
  lease_until timestamptz,
  -- Since the last finding that was judged.
  attempts integer not null default 0,
  -- What an interrupted replay left to undo at the target, with its secrets sealed.
  engine_state text,
  foreign key (account_id, target_id) references target (account_id, id)
);

create index retest_waiting on retest (created_at, id) where completed_at is null;
create index retest_target on retest (target_id, asked_at);

-- A row without an outcome is still to be tested.
create table retest_finding (
  retest_id text not null references retest,
  position integer not null,
  finding_id text not null references pentest_finding,
  outcome text check (outcome in ('GONE', 'STILL_THERE', 'VOID')),
  reason text,
  places jsonb,
  tested_at timestamptz,
  primary key (retest_id, position),
  unique (retest_id, finding_id),
  check (num_nulls(outcome, reason, places, tested_at) in (0, 4))
);

create index retest_finding_history on retest_finding (finding_id);

create function announce_retest() returns trigger language plpgsql as $$
begin
  perform announce(new.account_id, 'findings', null, new.target_id);
  return null;
end $$;

create trigger retest_announced after insert on retest for each row execute function announce_retest();
create trigger retest_change_announced after update on retest for each row
  when ((old.started_at, old.completed_at, old.attempts) is distinct from (new.started_at, new.completed_at, new.attempts))
  execute function announce_retest();

-- Opened for the engine of a retest of the run.
alter table credential_use
  drop constraint credential_use_purpose_check,
  add constraint credential_use_purpose_check check (purpose in ('ENGINE', 'REVEAL', 'RETEST'));
