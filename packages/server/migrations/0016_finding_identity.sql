-- Which check found a finding, how it is rated and where to read more. Null or empty for findings of the releases before.
alter table pentest_finding
  add column check_id text,
  add column cvss_vector text,
  add column location text,
  add column "references" text[] not null default '{}';
