-- When the member has put the first steps on the home screen of the dashboard aside.
alter table member add column getting_started_skipped_at timestamptz;
