-- An invitation to become a member of an account. Its link works once, for the person with this e-mail address.
create table invitation (
  id text primary key,
  account_id text not null references account,
  email text not null check (email = lower(email)),
  role text not null check (role in ('OWNER', 'ADMIN', 'MEMBER', 'VIEWER')),
  -- Only a hash, so that a copy of the database gives no access.
  token_hash text not null unique,
  invited_by text not null references identity."user",
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  check (accepted_at is null or revoked_at is null)
);

-- A new invitation replaces an earlier one, so that only the role of the latest counts.
create unique index invitation_open on invitation (account_id, email) where accepted_at is null and revoked_at is null;
