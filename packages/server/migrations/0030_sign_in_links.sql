-- The origin under which browsers reach the dashboard, for links in mails and commands. Written at each start.
alter table service add column public_url text;
