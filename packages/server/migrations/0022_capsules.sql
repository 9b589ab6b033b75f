-- The proof of a finding as an experiment that can be repeated, without secrets. Deleted with the evidence.
create table capsule (
  pentest_id text not null references pentest,
  fingerprint text not null,
  content jsonb not null,
  created_at timestamptz not null default service_now(),
  primary key (pentest_id, fingerprint)
);

create index capsule_age on capsule (created_at);
