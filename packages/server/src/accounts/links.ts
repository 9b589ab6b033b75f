import { createHash } from 'node:crypto';
import { recordAudit } from '../audit/audit.ts';
import type { Queries, Transaction } from '../db/database.ts';
import { randomBase62 } from '../platform/new-id.ts';
import { createSecret, type Secret } from '../platform/secret.ts';

interface Link {
  /** Can be used once, until it expires. Only a hash of its token is stored. */
  link: Secret;
  expiresAt: Date;
}

/** `sign-in-link` signs in, `reset-password` sets a password. */
type LinkPurpose = 'reset-password' | 'sign-in-link';

const PAGES: Record<LinkPurpose, string> = { 'reset-password': '/reset-password', 'sign-in-link': '/sign-in/link' };

interface NewLink {
  userId: string;
  purpose: LinkPurpose;
  hours: number;
  actor: string;
}

/** Creates a link that can be used once, and with which its holder acts as the user. */
export async function createLink(tx: Transaction, { userId, purpose, hours, actor }: NewLink): Promise<Link> {
  const token = randomBase62(32);
  const expiresAt = new Date(Date.now() + hours * 3_600_000);
  await tx
    .insertInto('identity.verification')
    .values({
      id: randomBase62(24),
      identifier: createHash('sha256').update(`${purpose}:${token}`).digest('base64url'),
      value: userId,
      expiresAt,
      createdAt: new Date(),
      updatedAt: new Date(),
    })
    .execute();
  await recordAudit(tx, { actor, action: 'user.link-created', accountId: null, subject: userId, details: { purpose } });
  return { link: await writeLink(tx, PAGES[purpose], token), expiresAt };
}

/** Resolves to a link with the token in its fragment. Browsers do not send the fragment, so no proxy logs the token. */
export async function writeLink(queries: Queries, page: string, token: string): Promise<Secret> {
  return createSecret(`${await readPublicUrl(queries)}${page}#${token}`);
}

/** Resolves to the origin under which browsers reach the dashboard. */
export async function readPublicUrl(queries: Queries): Promise<string> {
  const { publicUrl } = await queries.selectFrom('service').select('public_url as publicUrl').executeTakeFirstOrThrow();
  return publicUrl ?? 'http://localhost:4800';
}

/** Stores the origin for links, which all nodes and operator commands share. */
export async function writePublicUrl(queries: Queries, publicUrl: string): Promise<void> {
  await queries.updateTable('service').set({ public_url: publicUrl }).execute();
}
