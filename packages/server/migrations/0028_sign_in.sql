-- Sign-in to the dashboard. The tables of the schema identity are those of better-auth, with its names.

create table identity.session (
  "id" text primary key,
  "userId" text not null references identity."user" on delete cascade,
  -- A keyed hash, so that a copy of the database gives no session.
  "token" text not null unique,
  "ipAddress" text,
  "userAgent" text,
  "expiresAt" timestamptz not null,
  "createdAt" timestamptz not null,
  "updatedAt" timestamptz not null
);

create index session_of_user on identity.session ("userId");

-- A way to sign in, such as a password.
create table identity.account (
  "id" text primary key,
  "userId" text not null references identity."user" on delete cascade,
  "providerId" text not null,
  "accountId" text not null,
  "password" text,
  "accessToken" text,
  "refreshToken" text,
  "idToken" text,
  "accessTokenExpiresAt" timestamptz,
  "refreshTokenExpiresAt" timestamptz,
  "scope" text,
  "createdAt" timestamptz not null,
  "updatedAt" timestamptz not null,
  unique ("providerId", "accountId")
);

create index account_of_user on identity.account ("userId");

-- One-time tokens, such as those of links to set a password. The identifier is a hash.
create table identity.verification (
  "id" text primary key,
  "identifier" text not null,
  "value" text not null,
  "expiresAt" timestamptz not null,
  "createdAt" timestamptz not null,
  "updatedAt" timestamptz not null
);

create index verification_identifier on identity.verification ("identifier");

create table identity."rateLimit" (
  "id" text primary key,
  "key" text not null unique,
  "count" integer not null,
  "lastRequest" bigint not null
);
