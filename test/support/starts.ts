import { randomUUID } from 'node:crypto';
import type { Admin } from '@sortie/server';
import { type Answer, call } from './call.ts';
import type { Member } from './world.ts';

/** Tests start more runs in a minute than a key may. */
export const manyRequests = {
  SORTIE_LIMIT_READS_PER_KEY: '100000',
  SORTIE_LIMIT_READS_PER_ACCOUNT: '100000',
  SORTIE_LIMIT_WRITES_PER_KEY: '100000',
};

export interface Target {
  targetUrl: string;
  verificationId: string;
}

/** A target that the operator has vouched for, with API runs on. */
export async function createTarget(
  admin: Admin,
  { accountId }: Pick<Member, 'accountId'>,
  url = `https://${randomUUID()}.example.test/`,
): Promise<Target> {
  const { verificationId } = await admin.target.attest({ account: accountId, url });
  await admin.target.apiRuns({ id: verificationId, state: 'on' });
  return { targetUrl: url, verificationId };
}

export const grantCredits = (admin: Admin, { accountId }: Pick<Member, 'accountId'>, amount: number) =>
  admin.credits.grant({ account: accountId, source: 'purchased', amount: String(amount) });

interface StartOptions {
  /** A new one unless given. */
  idempotencyKey?: string;
}

/** `body` is sent as it is when it is text. */
export function start(
  baseUrl: string,
  path: '/v1/pentests' | '/v1/scans',
  { apiKey }: Pick<Member, 'apiKey'>,
  body: unknown,
  { idempotencyKey = randomUUID() }: StartOptions = {},
): Promise<Answer> {
  return call(baseUrl + path, {
    method: 'POST',
    key: apiKey,
    headers: { 'idempotency-key': idempotencyKey },
    body,
  });
}

export const cancel = (baseUrl: string, { apiKey }: Pick<Member, 'apiKey'>, id: string): Promise<Answer> =>
  call(`${baseUrl}/v1/pentests/${id}/cancel`, { method: 'POST', key: apiKey, headers: { 'content-length': 0 } });
