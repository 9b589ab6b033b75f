-- Null for scans of the releases before, which counted checks that do not apply as passed.
alter table scan add column checks_not_applicable integer check (checks_not_applicable >= 0);

-- Each check without a result and why: [{checkId, reason}]. Releases before did not keep the reasons.
alter table scan add column not_run_reasons jsonb not null default '[]';
