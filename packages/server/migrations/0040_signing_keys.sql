-- The public keys with which capsules were signed. The private ones are in the data folder, or given by the operator.
create table signing_key (
  id text primary key,
  x text not null,
  created_at timestamptz not null default service_now(),
  -- Published until then: capsules signed with a revoked key are no longer accepted.
  revoked_at timestamptz
);
