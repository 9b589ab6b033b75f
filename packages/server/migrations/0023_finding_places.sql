-- All places of a finding and its other fingerprints. `places` lists a bounded number of them, `place_count` counts all.
-- Null for findings of the releases before, which have one place.
alter table pentest_finding
  add column places jsonb,
  add column place_count integer not null default 1,
  add column former_fingerprints text[] not null default '{}';
