-- The purse of a run: what its calls of a language model have cost, and what is reserved for those without a known cost.
-- A reservation is the most that a call can cost. It stays if the outcome of the call is unknown, so the constraint keeps
-- the provider's bill within the budget after any crash.
alter table pentest
  add column model_spent bigint not null default 0 check (model_spent >= 0),
  add column model_reserved bigint not null default 0 check (model_reserved >= 0),
  add constraint pentest_purse check (model_spent + model_reserved <= model_budget_microdollars);

-- RESERVED until the outcome is stored. ANSWERED calls are charged; FAILED ones cost nothing; of those that stay RESERVED
-- after their attempt, and of UNKNOWN ones, the reservation is kept but the customer pays nothing.
create table model_call (
  id bigint generated always as identity primary key,
  pentest_id text not null references pentest,
  epoch integer not null,
  -- Keyed hash of the request: an attempt that repeats it gets the stored answer.
  fingerprint text not null,
  phase text not null,
  specialist text not null,
  provider text not null,
  model text not null,
  prompt_version text not null,
  state text not null default 'RESERVED' check (state in ('RESERVED', 'ANSWERED', 'FAILED', 'UNKNOWN')),
  reserved_microdollars bigint not null check (reserved_microdollars >= 0),
  spent_microdollars bigint not null default 0,
  -- What the provider's counts cost beyond the reservation. Never charged; no further call is made in the run.
  overrun_microdollars bigint not null default 0 check (overrun_microdollars >= 0),
  input_tokens bigint check (input_tokens >= 0),
  output_tokens bigint check (output_tokens >= 0),
  -- Deleted with the evidence of the run.
  answer jsonb,
  -- The step in whose meters the call is counted; null until the step is finished.
  step text,
  created_at timestamptz not null default service_now(),
  ended_at timestamptz,
  check (spent_microdollars between 0 and reserved_microdollars),
  check ((state = 'RESERVED') = (ended_at is null)),
  check (state = 'ANSWERED' or (spent_microdollars = 0 and answer is null))
);

create index model_call_run on model_call (pentest_id, specialist);
create index model_call_answer on model_call (pentest_id, fingerprint) where state = 'ANSWERED';
create index model_call_age on model_call (created_at) where answer is not null;
