-- What a run needs to go on after its last finished step; nothing once it is over.
alter table pentest add column engine_state text;

-- Where the engine of a run went or was refused to go, counted. An empty address was never looked up.
create table egress (
  run_id text not null,
  host text not null,
  port integer not null,
  address text not null,
  outcome text not null check (outcome in ('CONTACTED', 'REFUSED')),
  reason text not null,
  connections bigint not null check (connections >= 0),
  requests bigint not null check (requests >= 0),
  first_at timestamptz not null default service_now(),
  last_at timestamptz not null default service_now(),
  primary key (run_id, host, port, address, outcome, reason)
);

-- The exchanges that show a finding, without secrets. They are deleted before the finding is.
create table evidence (
  pentest_id text not null references pentest,
  fingerprint text not null,
  position integer not null check (position >= 0),
  label text not null,
  request text not null,
  response text not null,
  created_at timestamptz not null default service_now(),
  primary key (pentest_id, fingerprint, position)
);

create index evidence_age on evidence (created_at);
