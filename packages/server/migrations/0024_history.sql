-- What has to be tested again to tell whether a finding is fixed, as the coverage of runs names it: groups of checks,
-- requests and accounts. Empty for findings of the releases before.
alter table pentest_finding
  add column coverage_keys jsonb not null default '[]';

-- For comparing a run with the earlier ones on its target.
create index pentest_of_target on pentest (account_id, target_id, created_at desc, id desc);
