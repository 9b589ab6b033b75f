-- One row describes this installation. The environment is written at the first start and never changes.
create table service (
  only_row boolean primary key default true check (only_row),
  environment text not null check (environment in ('live', 'test')),
  clock_shift interval not null default interval '0',
  check (environment = 'test' or clock_shift = interval '0')
);

-- The service clock. It uses clock_timestamp(), not now(): after waiting for a lock, the start of the
-- transaction is already in the past.
create function service_now() returns timestamptz language sql volatile as
  $$ select clock_timestamp() + clock_shift from service $$;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

-- Identity follows better-auth's own table layout, hence the schema of its own and the quoted names.
create schema identity;

create table identity."user" (
  "id" text primary key,
  "name" text not null,
  "email" text not null unique check ("email" = lower("email")),
  "emailVerified" boolean not null default false,
  "image" text,
  "createdAt" timestamptz not null default service_now(),
  "updatedAt" timestamptz not null default service_now()
);

create table account (
  id text primary key,
  name text not null check (name <> ''),
  kind text not null check (kind in ('personal', 'organization')),
  plan text not null,
  suspended_at timestamptz,
  created_at timestamptz not null default service_now()
);

create table member (
  account_id text not null references account,
  user_id text not null references identity."user",
  role text not null check (role in ('OWNER', 'ADMIN', 'MEMBER', 'VIEWER')),
  allowance bigint check (allowance >= 0),
  created_at timestamptz not null default service_now(),
  primary key (account_id, user_id)
);

create index member_user on member (user_id);

create table target_assignment (
  account_id text not null,
  user_id text not null,
  target_id text not null,
  created_at timestamptz not null default service_now(),
  primary key (account_id, user_id, target_id),
  foreign key (account_id, user_id) references member on delete cascade
);

create table api_key (
  id text primary key check (id ~ '^[0-9A-Za-z]{12}$'),
  account_id text not null references account,
  created_by text not null references identity."user",
  name text not null,
  secret_hash bytea not null check (octet_length(secret_hash) = 32),
  last_four text not null check (length(last_four) = 4),
  permissions text[] not null,
  budget bigint check (budget >= 0),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default service_now()
);

create index api_key_account on api_key (account_id);

-- Rate windows run on the real clock. Losing them in a crash of the database costs at most one window,
-- so they are kept out of the write-ahead log.
create unlogged table rate_counter (
  counter text primary key,
  requests integer not null,
  window_ends_at timestamptz not null
) with (fillfactor = 50);

create table audit_entry (
  id bigint generated always as identity primary key,
  at timestamptz not null default service_now(),
  actor text not null,
  action text not null,
  account_id text references account,
  subject text not null,
  details jsonb not null default '{}'
);

create index audit_entry_account on audit_entry (account_id, id);
create trigger audit_entry_append_only before update or delete or truncate on audit_entry
  execute function refuse_change();

-- A grant's credits are always in exactly one of six places. `removed` left by an operator's adjustment;
-- `moved` went to a child grant because a return came after this grant had expired.
create table credit_grant (
  id bigint generated always as identity primary key,
  account_id text not null references account,
  source text not null check (source in ('plan', 'purchased')),
  amount bigint not null check (amount > 0),
  available bigint not null check (available >= 0),
  held bigint not null default 0 check (held >= 0),
  spent bigint not null default 0 check (spent >= 0),
  expired bigint not null default 0 check (expired >= 0),
  removed bigint not null default 0 check (removed >= 0),
  moved bigint not null default 0 check (moved >= 0),
  expires_at timestamptz,
  parent_id bigint references credit_grant,
  created_at timestamptz not null default service_now(),
  check (available + held + spent + expired + removed + moved = amount)
);

create index credit_grant_account on credit_grant (account_id) where available > 0 or held > 0;
create index credit_grant_history on credit_grant (account_id, id);
create index credit_grant_expiry on credit_grant (expires_at) where available > 0 and expires_at is not null;

-- One per run. A part is settled once its `charged` is set; what was not charged was returned.
create table credit_hold (
  run_id text primary key,
  account_id text not null references account,
  api_key_id text references api_key,
  user_id text references identity."user",
  cycle date not null,
  testing_reserved bigint not null check (testing_reserved >= 0),
  testing_charged bigint check (testing_charged between 0 and testing_reserved),
  review_reserved bigint not null check (review_reserved >= 0),
  review_charged bigint check (review_charged between 0 and review_reserved),
  state text not null default 'RESERVED' check (state in ('RESERVED', 'CHARGED', 'RETURNED')),
  created_at timestamptz not null default service_now(),
  check ((state = 'RESERVED') = (testing_charged is null or review_charged is null)),
  check (state <> 'RETURNED' or (testing_charged = 0 and review_charged = 0))
);

create index credit_hold_key on credit_hold (api_key_id, cycle);
create index credit_hold_member on credit_hold (account_id, user_id, cycle);

create table credit_slice (
  run_id text not null references credit_hold,
  part text not null check (part in ('testing', 'review')),
  position integer not null,
  grant_id bigint not null references credit_grant,
  amount bigint not null check (amount > 0),
  charged bigint not null default 0 check (charged >= 0),
  returned bigint not null default 0 check (returned >= 0),
  primary key (run_id, part, position),
  check (charged + returned <= amount)
);

create index credit_slice_grant on credit_slice (grant_id);

-- The journal: an operation is what the customer sees in the usage history, its entries say which grants moved.
create table credit_operation (
  sequence bigint generated always as identity primary key,
  id text not null unique,
  account_id text not null references account,
  -- Names what was done, once per account. Collated "C" so that a prefix is a range of the index.
  operation_key text collate "C" not null,
  type text not null check (type in ('GRANT', 'HOLD', 'CHARGE', 'RETURN', 'EXPIRE', 'ADJUST')),
  credits bigint not null check (credits <> 0),
  part text check (part in ('testing', 'review')),
  run_id text,
  api_key_id text,
  user_id text,
  description text not null,
  available_after bigint not null check (available_after >= 0),
  held_after bigint not null check (held_after >= 0),
  created_at timestamptz not null default service_now(),
  unique (account_id, operation_key),
  check (type = 'ADJUST' or (credits > 0) = (type in ('GRANT', 'RETURN')))
);

create index credit_operation_account on credit_operation (account_id, created_at desc, sequence desc);
create index credit_operation_api_key on credit_operation (api_key_id, created_at desc, sequence desc)
  where api_key_id is not null;
create index credit_operation_run on credit_operation (run_id) where run_id is not null;
create trigger credit_operation_append_only before update or delete or truncate on credit_operation
  execute function refuse_change();

create table credit_entry (
  operation_sequence bigint not null references credit_operation,
  position integer not null,
  grant_id bigint not null references credit_grant,
  from_place text not null check (from_place in ('issued', 'available', 'held')),
  to_place text not null check (to_place in ('available', 'held', 'spent', 'expired', 'removed', 'moved')),
  amount bigint not null check (amount > 0),
  primary key (operation_sequence, position),
  check (from_place <> to_place)
);

create index credit_entry_grant on credit_entry (grant_id);
create trigger credit_entry_append_only before update or delete or truncate on credit_entry
  execute function refuse_change();

-- Recurring work is due by the service clock; whichever node finds it due first does it.
create table recurring_job (
  name text primary key,
  due_at timestamptz not null
);
