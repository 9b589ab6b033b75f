-- Accounts that people look at in the dashboard, per node. Only their changes are announced: an announcement takes a lock
-- that all transactions with announcements share while they commit. Losing the rows in a crash costs one renewal.
create unlogged table live_watch (
  account_id text not null,
  node text not null,
  until timestamptz not null,
  primary key (account_id, node)
);

-- Announces that something has changed, never what it is. Target: whom the target is not assigned to is not told.
create function announce(account text, topic text, subject text, target text) returns void language plpgsql as $$
begin
  if exists (select from live_watch where account_id = account and until > clock_timestamp()) then
    perform pg_notify('sortie_live',
      json_build_object('account', account, 'topic', topic, 'subject', subject, 'target', target)::text);
  end if;
end $$;

create function announce_pentest() returns trigger language plpgsql as $$
begin
  perform announce(new.account_id, 'runs', new.id, new.target_id);
  return null;
end $$;

create trigger pentest_announced after insert on pentest for each row execute function announce_pentest();
create trigger pentest_change_announced after update on pentest for each row
  when ((old.status, old.handed_over_at, old.released_at) is distinct from (new.status, new.handed_over_at, new.released_at))
  execute function announce_pentest();

-- Frequent, and of interest to the page of this run only.
create function announce_progress() returns trigger language plpgsql as $$
begin
  perform announce(new.account_id, 'progress', new.id, new.target_id);
  return null;
end $$;

create trigger pentest_progress_announced after update on pentest for each row
  when ((old.requests, old.engine_ms) is distinct from (new.requests, new.engine_ms))
  execute function announce_progress();

-- A review that goes on is not told of; its end is.
create function announce_review() returns trigger language plpgsql as $$
declare
  run record;
begin
  select account_id, target_id into run from pentest where id = new.pentest_id;
  perform announce(run.account_id, 'runs', new.pentest_id, run.target_id);
  return null;
end $$;

create trigger review_announced after update on report_review for each row
  when (old.state <> new.state and 'REJECTED' in (old.state, new.state))
  execute function announce_review();

create function announce_scan() returns trigger language plpgsql as $$
begin
  perform announce(new.account_id, 'scans', new.id, null);
  return null;
end $$;

create trigger scan_announced after insert on scan for each row execute function announce_scan();
create trigger scan_change_announced after update on scan for each row
  when ((old.status, old.handed_over_at) is distinct from (new.status, new.handed_over_at))
  execute function announce_scan();

create function announce_operation() returns trigger language plpgsql as $$
begin
  perform announce(new.account_id, 'credits', null, null);
  return null;
end $$;

create trigger operation_announced after insert on credit_operation for each row execute function announce_operation();

create function announce_target() returns trigger language plpgsql as $$
begin
  perform announce(new.account_id, 'targets', null, new.id);
  return null;
end $$;

create trigger target_announced after insert or update on target for each row execute function announce_target();

create function announce_verification() returns trigger language plpgsql as $$
begin
  perform announce(new.account_id, 'targets', new.id, new.target_id);
  return null;
end $$;

create trigger verification_announced after insert or update on verification for each row
  execute function announce_verification();

create function announce_ownership_check() returns trigger language plpgsql as $$
begin
  perform announce(new.account_id, 'targets', new.verification_id,
    (select target_id from verification where id = new.verification_id));
  return null;
end $$;

create trigger ownership_check_announced after insert on ownership_check for each row
  execute function announce_ownership_check();
create trigger ownership_check_change_announced after update on ownership_check for each row
  when ((old.lease_owner, old.completed_at) is distinct from (new.lease_owner, new.completed_at))
  execute function announce_ownership_check();

create function announce_flaw_event() returns trigger language plpgsql as $$
begin
  perform announce(new.account_id, 'findings', null, new.target_id);
  return null;
end $$;

create trigger flaw_event_announced after insert on flaw_event for each row execute function announce_flaw_event();

create function announce_key() returns trigger language plpgsql as $$
begin
  perform announce(new.account_id, 'keys', new.id, null);
  return null;
end $$;

create trigger key_announced after insert on api_key for each row execute function announce_key();
create trigger key_change_announced after update on api_key for each row
  when ((old.expires_at, old.revoked_at) is distinct from (new.expires_at, new.revoked_at))
  execute function announce_key();

create function announce_invitation() returns trigger language plpgsql as $$
begin
  perform announce(new.account_id, 'members', null, null);
  return null;
end $$;

create trigger invitation_announced after insert or update on invitation for each row
  execute function announce_invitation();

-- Who may look has changed: the nodes look again.
create function announce_access() returns trigger language plpgsql as $$
declare
  changed record := coalesce(new, old);
begin
  perform announce(changed.account_id, 'access', null, null);
  return null;
end $$;

create trigger member_announced after insert or update or delete on member for each row
  execute function announce_access();
create trigger assignment_announced after insert or delete on target_assignment for each row
  execute function announce_access();

create function announce_account() returns trigger language plpgsql as $$
begin
  perform announce(new.id, 'access', null, null);
  return null;
end $$;

create trigger account_announced after update on account for each row execute function announce_account();

create function announce_session_end() returns trigger language plpgsql as $$
begin
  perform announce(account_id, 'access', null, null) from member where user_id = old."userId";
  return null;
end $$;

create trigger session_end_announced after delete on identity.session for each row
  execute function announce_session_end();
