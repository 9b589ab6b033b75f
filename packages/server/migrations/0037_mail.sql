-- Mails to people, in the order of their creation. A mail is kept for 30 days, its content only until it is sent.
create table mail (
  id text primary key,
  kind text not null check (kind in ('PASSWORD_RESET', 'INVITATION')),
  recipient text not null check (recipient = lower(recipient)),
  -- REQUESTED: it is not known yet whether there is a user with this address. REFUSED: by the mail server, for good.
  state text not null check (state in ('REQUESTED', 'WAITING', 'SENT', 'REFUSED', 'EXPIRED')),
  invitation_id text references invitation,
  -- Subject and text, sealed, because the text has a link.
  sealed bytea,
  attempts integer not null default 0,
  -- Why the latest attempt failed, in the words of the program, without any of the mail server.
  failure text,
  created_at timestamptz not null default clock_timestamp(),
  due_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  sent_at timestamptz,
  check ((state = 'WAITING') = (sealed is not null)),
  check ((kind = 'INVITATION') = (invitation_id is not null))
);

create index mail_open on mail (due_at) where state in ('REQUESTED', 'WAITING');
create index mail_created on mail (created_at);
create index mail_invitation on mail (invitation_id);
