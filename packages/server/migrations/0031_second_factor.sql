-- The second factor and passkeys, in the names of better-auth.
alter table identity."user" add column "twoFactorEnabled" boolean not null default false;

create table identity."twoFactor" (
  "id" text primary key,
  "userId" text not null unique references identity."user" on delete cascade,
  -- Both are encrypted with a key derived from the service's own.
  "secret" text not null,
  "backupCodes" text not null,
  "verified" boolean not null default true,
  "failedVerificationCount" integer not null default 0,
  "lockedUntil" timestamptz
);

create table identity.passkey (
  "id" text primary key,
  "userId" text not null references identity."user" on delete cascade,
  "name" text,
  "publicKey" text not null,
  "credentialID" text not null unique,
  "counter" bigint not null,
  "deviceType" text not null,
  "backedUp" boolean not null,
  "transports" text,
  "aaguid" text,
  "createdAt" timestamptz
);

create index passkey_of_user on identity.passkey ("userId");
