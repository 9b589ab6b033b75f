-- Runs refer to the verification that authorised them, so one that its account removes stays, and authorises nothing.
-- Its target can be added again, with its rules.
alter table verification add column removed_at timestamptz;
alter table verification drop constraint verification_target_id_method_key;
create unique index verification_of_target on verification (target_id, method) where removed_at is null;
