-- When the person proved who they are, if that is not when the session began: at the provider of single sign-on. The epoch
-- if the provider does not say.
alter table identity.session add column "authenticatedAt" timestamptz;

-- The latest password reset. A sign-in that began before it gives no session.
alter table identity."user" add column "sessionsEndedAt" timestamptz;
