-- The test accounts of runs, sealed on arrival. Every run has a data key of its own, wrapped by the service's vault
-- key `key_id`: once this row is gone, nothing of the run's test accounts can be opened again.
create table credential_key (
  run_id text primary key,
  account_id text not null references account,
  key_id text not null,
  wrapped_key bytea not null,
  created_at timestamptz not null default service_now(),
  unique (run_id, account_id)
);

create index credential_key_age on credential_key (created_at);

-- In clear is only what cannot be a secret, whatever is pasted where: a name of letters and digits, and enumerations.
create table credential (
  run_id text not null,
  account_id text not null,
  position integer not null check (position >= 0),
  name text not null,
  kind text not null check (kind in ('FORM_LOGIN', 'BEARER_TOKEN', 'BASIC_AUTH', 'COOKIE', 'API_KEY')),
  mode text not null check (mode in ('auto', 'json', 'form', 'browser')),
  location text not null check (location in ('header', 'query')),
  sealed_user bytea not null,
  sealed_pass bytea not null,
  sealed_totp_secret bytea,
  sealed_instructions bytea,
  sealed_token_url bytea,
  sealed_scope bytea,
  sealed_audience bytea,
  primary key (run_id, position),
  unique (run_id, name),
  foreign key (run_id, account_id) references credential_key (run_id, account_id)
);
