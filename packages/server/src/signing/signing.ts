import { recordAudit } from '../audit/audit.ts';
import { lockVault } from '../credentials/credentials.ts';
import type { Queries, Transaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import { type PublicKey, toPublicKey } from '../secrets/signing-key.ts';
import type { SigningSource } from '../secrets/signing-source.ts';
import { insertSigningKey, markRevoked, selectSigningKeys } from './store.ts';

/** Publishes the current key permanently, so that the capsules it signed stay verifiable after a rotation. */
export function publishSigningKey(queries: Queries, source: Pick<SigningSource, 'current'>): Promise<void> {
  return insertSigningKey(queries, source.current().publicKey);
}

/** Resolves to the keys that verify capsules, newest first. */
export async function listPublishedKeys(
  queries: Queries,
  source: Pick<SigningSource, 'current'>,
): Promise<PublicKey[]> {
  const rows = await selectSigningKeys(queries);
  const { publicKey } = source.current();
  const known = rows.some(({ id }) => id === publicKey.kid) ? [] : [publicKey];
  return [...known, ...rows.filter(({ revokedAt }) => revokedAt === null).map(({ x }) => toPublicKey(x))];
}

/** Publishes the key of this node, and resolves to all keys with their states, revoked ones included. */
export async function readSigningKeys(queries: Queries, source: Pick<SigningSource, 'current'>) {
  await publishSigningKey(queries, source);
  const { kid } = source.current().publicKey;
  const keys = await selectSigningKeys(queries);
  return keys.map(({ id, createdAt, revokedAt }) => ({
    id,
    state: id === kid ? ('CURRENT' as const) : revokedAt === null ? ('OLD' as const) : ('REVOKED' as const),
    createdAt: createdAt.toISOString(),
    revokedAt: revokedAt?.toISOString() ?? null,
  }));
}

/** Replaces the current key. The former key stays published. */
export async function rotateSigningKey(
  tx: Transaction,
  { rotate, current }: SigningSource,
  actor: string,
): Promise<{ current: string; former: string }> {
  if (!rotate) {
    const message =
      'With DATABASE_URL, the operator gives the signing key: set SORTIE_SIGNING_KEY to a new value (openssl rand ' +
      '-base64 32) on every node and restart them. The former key stays published.';
    throw new AppError('VALIDATION_ERROR', { field: 'rotate', message });
  }
  await lockVault(tx);
  await publishSigningKey(tx, { current });
  const former = current().publicKey.kid;
  await rotate();
  const subject = current().publicKey.kid;
  await publishSigningKey(tx, { current });
  await recordAudit(tx, { actor, action: 'signing-key.rotated', accountId: null, subject, details: { former } });
  return { current: subject, former };
}

/** Revokes a key: capsules that it signed are no longer accepted. */
export async function revokeSigningKey(
  tx: Transaction,
  { source, id, actor }: { source: Pick<SigningSource, 'current'>; id: string; actor: string },
): Promise<void> {
  if (source.current().publicKey.kid === id) {
    const message = `${id} is the current signing key. Rotate it first: npx sortie admin signing-key rotate`;
    throw new AppError('VALIDATION_ERROR', { field: 'key', message });
  }
  if (!(await markRevoked(tx, id))) {
    const message = `There is no published signing key ${id}. List them with: npx sortie admin signing-key list`;
    throw new AppError('NOT_FOUND', { message });
  }
  await recordAudit(tx, { actor, action: 'signing-key.revoked', accountId: null, subject: id, details: {} });
}
