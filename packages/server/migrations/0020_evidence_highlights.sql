-- What to look at in an exchange, whether its texts are shortened, and whether one request shows the finding. Null for
-- exchanges of the releases before.
alter table evidence
  add column highlights jsonb,
  add column is_cut boolean,
  add column is_decisive boolean not null default false,
  add column is_repeatable boolean not null default false;

-- When retention removed the exchanges of a finding. Null while they exist, and for a finding that never had any.
alter table pentest_finding
  add column evidence_deleted_at timestamptz;
