-- How many of the attempts since the last finished step were ended by the engine itself: by its limits, by a crash, or by
-- the owner's hours. The other attempts were lost with their worker, host or database.
alter table pentest add column deaths integer not null default 0 check (deaths >= 0);
