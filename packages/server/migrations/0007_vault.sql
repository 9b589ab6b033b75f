-- Which vault keys wrap how many data keys, since when, without reading the rows of the others.
create index credential_key_vault on credential_key (key_id, created_at);

-- Vault keys that wrap nothing new. A server that does not know yet that its key was retired wraps with the successor.
create table retired_vault_key (
  key_id text primary key,
  successor_id text not null check (successor_id <> key_id),
  retired_at timestamptz not null default service_now()
);

-- Every time test accounts were opened: by the worker for the engine of its run (`epoch` is its lease's), or for the
-- reviewer who had taken the report.
create table credential_use (
  id bigint generated always as identity primary key,
  run_id text not null,
  used_at timestamptz not null default service_now(),
  purpose text not null check (purpose in ('ENGINE', 'REVEAL')),
  actor text not null,
  epoch integer,
  check ((purpose = 'ENGINE') = (epoch is not null))
);

create index credential_use_run on credential_use (run_id, id);
create trigger credential_use_append_only before update or delete or truncate on credential_use
  execute function refuse_change();

-- What stays of deleted test accounts: that they were there, and since when they are not.
create table credential_receipt (
  id bigint generated always as identity primary key,
  run_id text not null,
  account_id text not null references account,
  names text[] not null,
  kinds text[] not null,
  sealed_at timestamptz not null,
  deleted_at timestamptz not null default service_now(),
  reason text not null check (reason in ('AGE', 'OPERATOR')),
  key_id text not null,
  check (cardinality(names) = cardinality(kinds))
);

create index credential_receipt_run on credential_receipt (run_id);
create index credential_receipt_account on credential_receipt (account_id, id);
create trigger credential_receipt_append_only before update or delete or truncate on credential_receipt
  execute function refuse_change();
