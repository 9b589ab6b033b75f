-- What an attacker gains, how to repeat the proof by hand, and the CVSS 4.0 vector. Null or empty for findings of the
-- releases before.
alter table pentest_finding
  add column impact text,
  add column steps_to_reproduce text[] not null default '{}',
  add column cvss4_vector text;
