-- A program that asks a person for an API key in the browser (after RFC 8628). The key is created when the program fetches it.
create table device_login (
  id text primary key,
  -- Hashes only. That of the short code is keyed, so that a copy of the database does not give the code.
  device_code_hash text not null unique,
  user_code_hash text not null unique,
  -- What the program says of itself, and the address it asks from.
  name text not null,
  address text not null,
  state text not null default 'PENDING' check (state in ('PENDING', 'APPROVED', 'DENIED', 'DONE')),
  user_id text references identity."user",
  account_id text references account,
  permissions text[],
  key_expires_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  polled_at timestamptz,
  check (state not in ('APPROVED', 'DONE') or (user_id is not null and account_id is not null and permissions is not null))
);

create index device_login_expiry on device_login (expires_at);
