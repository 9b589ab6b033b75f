-- What people decide and note about a flaw, in order. A flaw is known by the fingerprints of a finding at a site (origin) of
-- a target, so that a decision holds for later runs. The latest event of a kind counts.
create table flaw_event (
  id bigint generated always as identity primary key,
  account_id text not null references account,
  target_id text not null,
  site text not null,
  -- The finding on whose page it was done.
  finding_id text not null references pentest_finding,
  fingerprints text[] not null check (cardinality(fingerprints) > 0),
  kind text not null check (kind in ('STATE', 'ASSIGNEE', 'NOTE')),
  state text check (state in ('OPEN', 'ACCEPTED', 'FALSE_POSITIVE')),
  -- The reason of a state, or the note.
  text text,
  accepted_until timestamptz,
  assignee_id text references identity."user",
  user_id text not null references identity."user",
  created_at timestamptz not null default service_now(),
  foreign key (account_id, target_id) references target (account_id, id),
  check ((kind = 'STATE') = (state is not null)),
  check ((state is not distinct from 'ACCEPTED') = (accepted_until is not null)),
  check (kind = 'ASSIGNEE' or assignee_id is null),
  check (text is not null or kind = 'ASSIGNEE' or state = 'OPEN')
);

create index flaw_event_target on flaw_event (account_id, target_id, id);
create trigger flaw_event_append_only before update or delete or truncate on flaw_event
  execute function refuse_change();
