-- What may be tested. `origin` and `host` are kept in one spelling, so that equal means the same.
create table target (
  id text primary key,
  account_id text not null references account,
  origin text not null,
  host text not null check (host <> ''),
  api_runs boolean not null default false,
  created_at timestamptz not null default service_now(),
  unique (account_id, origin),
  unique (account_id, id)
);

-- A DNS record speaks for a name and all below it; whoever answers at an origin speaks for that origin only.
-- Incomplete until verified; one for each way to verify a target, so that renewing it keeps its id.
create table verification (
  id text primary key,
  account_id text not null,
  target_id text not null,
  method text not null check (method in ('dns', 'file', 'meta', 'attestation')),
  covered_name text check (covered_name ~ '^[a-z0-9_-]+(\.[a-z0-9_-]+)*$'),
  covered_origin text,
  verified_at timestamptz,
  expires_at timestamptz,
  created_at timestamptz not null default service_now(),
  unique (target_id, method),
  foreign key (account_id, target_id) references target (account_id, id),
  check ((method = 'dns') = (covered_name is not null)),
  check ((covered_name is null) <> (covered_origin is null)),
  check ((verified_at is null) = (expires_at is null)),
  check (expires_at > verified_at)
);

-- Nothing was written to this table before there were targets.
alter table target_assignment
  add foreign key (account_id, target_id) references target (account_id, id) on delete cascade;
