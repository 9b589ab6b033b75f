import { serviceNow, type Transaction } from '../db/database.ts';
import { updateVerified } from './store.ts';

const VALIDITY_MS = 90 * 86_400_000;

/** Renews the verification for a full validity period from now. Resolves to its new expiry. */
export async function renew(tx: Transaction, verificationId: string): Promise<Date> {
  const verifiedAt = await serviceNow(tx);
  const expiresAt = new Date(verifiedAt.getTime() + VALIDITY_MS);
  await updateVerified(tx, { id: verificationId, verifiedAt, expiresAt });
  return expiresAt;
}
