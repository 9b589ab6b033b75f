-- Groups of checks that applied to the target of a run and could not run, each with its reason and its cure.
alter table pentest add column untested jsonb not null default '[]';
