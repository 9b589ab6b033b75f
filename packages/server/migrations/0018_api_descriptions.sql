-- API descriptions: the `apiDescription` of a start (`run_id`), or the file that an operator imported for a verification.
-- The content is sealed with a data key of its own, which is a row of credential_key with the description's id as
-- run_id: key rotation, the 30 days and "vault forget" treat it like test accounts. Deleting the key deletes the rest.
create table api_description (
  id text primary key references credential_key (run_id) on delete cascade,
  account_id text not null references account,
  run_id text unique,
  verification_id text unique references verification on delete cascade,
  -- File name of an import.
  name text,
  kind text not null check (kind in ('OPENAPI', 'POSTMAN', 'HAR', 'GRAPHQL')),
  bytes integer not null check (bytes > 0),
  sealed bytea not null,
  created_at timestamptz not null default service_now(),
  check ((run_id is null) <> (verification_id is null)),
  check ((name is null) = (verification_id is null))
);
