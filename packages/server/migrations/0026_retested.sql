-- Which tests of earlier runs a run has repeated in full, by the keys that the findings of those runs have. Null for runs
-- of the releases before.
alter table pentest add column retested text[];

-- For finding out when a finding was last seen, in any number of runs.
create index pentest_finding_fingerprint on pentest_finding (fingerprint);
create index pentest_finding_former on pentest_finding using gin (former_fingerprints);
