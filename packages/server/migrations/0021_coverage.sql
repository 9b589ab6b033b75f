-- What a run tested: per group of checks, and per request and account. Null for runs whose tests were not planned, and
-- for runs of the releases before.
alter table pentest add column coverage jsonb;
