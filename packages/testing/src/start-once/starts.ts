import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { StartPentest } from '@sortie/contract';
import { type Admin, defaultCatalogue } from '@sortie/server';
import { createTarget, grantCredits, type Target } from '../world/starts.ts';
import type { Member } from '../world/world.ts';
import type { Random } from './random.ts';

/** How long a claim is held before another attempt may take it over: short, so that this happens often. */
export const CLAIM_HELD_MS = 300;

/** An account with enough credits for all starts. */
export interface StartingAccount extends Member {
  target: Target;
  granted: number;
}

/** A start that must take effect exactly once, however often it is sent. */
export interface WantedStart {
  account: StartingAccount;
  path: '/v1/pentests' | '/v1/scans';
  idempotencyKey: string;
  /** Unique, so that every run identifies its start. */
  url: string;
  body: StartPentest | { url: string };
  price: number;
  credentials: NonNullable<StartPentest['credentials']>;
  /** Every 201 response received. */
  answers: { text: string; isReplay: boolean }[];
}

/** The first ones are small, so that a run has to draw on several grants. */
const GRANTS = [700, 1_500, 900, 4_100, 100_000_000];

export async function createStartingAccount(admin: Admin): Promise<StartingAccount> {
  const { id: accountId } = await admin.account.create({ name: 'Test account', kind: 'organization' });
  const { id: userId } = await admin.user.create({ email: `${randomUUID()}@example.test` });
  await admin.member.add({ account: accountId, user: userId, role: 'OWNER' });
  const { id: apiKeyId, key } = await admin.key.create({ account: accountId, user: userId, permissions: 'all' });
  const target = await createTarget(admin, { accountId });
  for (const amount of GRANTS) await grantCredits(admin, { accountId }, amount);
  const granted = GRANTS.reduce((sum, amount) => sum + amount, 0);
  return { accountId, userId, apiKeyId, apiKey: key.reveal(), target, granted };
}

const depths = ['LEAD', 'LEAD', 'STANDARD', 'DEEP', undefined] as const;

/** `number` makes the starts distinct. */
export function wantPentest(number: number, account: StartingAccount, random: Random): WantedStart {
  const { targetUrl, verificationId } = account.target;
  const depth = random.pick(depths);
  const credentials = Array.from({ length: random.chance(0.4) ? random.between(1, 2) : 0 }, (_, index) => ({
    name: `user-${index}`,
    user: `user-${index}@example.test`,
    pass: `password ${index} of start ${number}`,
  }));
  const url = `${targetUrl}${number}`;
  return {
    account,
    path: '/v1/pentests',
    idempotencyKey: `pentest-${number}`,
    url,
    body: {
      targetUrl: url,
      verificationId,
      ...(depth && { depth }),
      ...(credentials.length > 0 && { credentials }),
    },
    price: defaultCatalogue.levels[depth ?? 'LEAD'].credits,
    credentials,
    answers: [],
  };
}

export function wantScan(number: number, account: StartingAccount): WantedStart {
  const url = `https://scanned-${number}.example.test/`;
  const idempotencyKey = `scan-${number}`;
  return { account, path: '/v1/scans', idempotencyKey, url, body: { url }, price: 0, credentials: [], answers: [] };
}

/** Writes a catalogue without an effective concurrency limit. */
export async function writeCatalogue(folder: string): Promise<string> {
  const file = path.join(folder, 'catalogue.json');
  const free = { monthlyCredits: 0, scansPerMonth: null, concurrentPentests: 1_000_000 };
  await writeFile(file, JSON.stringify({ plans: { free } }));
  return file;
}
