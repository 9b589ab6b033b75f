-- What the agents of a run's planner expected, tried and found, in words without secrets. Written with the step, so once.
-- Operators read it at once, customers with the released report. Deleted with the evidence.
create table activity (
  id bigint generated always as identity primary key,
  pentest_id text not null references pentest,
  step text not null,
  specialist text not null,
  hypothesis text,
  tried text not null,
  outcome text not null,
  created_at timestamptz not null default service_now()
);

create index activity_of_run on activity (pentest_id, id);
create index activity_age on activity (created_at);

-- The texts of the engine, where a model has put them into other words.
alter table pentest_finding
  add column original_description text,
  add column original_remediation text;
