import { createHash, createHmac, type KeyObject, randomInt } from 'node:crypto';
import { type Permission, type Role, roles } from '@sortie/contract';
import { requireAccount, requireManager } from '../accounts/accounts.ts';
import { recordAudit } from '../audit/audit.ts';
import { type Database, inTransaction, type Queries, type Transaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import { createOwnKey, permissionsOf, requireOwnPermissions } from '../keys/keys.ts';
import { newId, randomBase62 } from '../platform/new-id.ts';
import { createSecret, type Secret } from '../platform/secret.ts';
import { deriveKey, type ServiceKey } from '../secrets/service-secrets.ts';
import {
  decide,
  endApproved,
  finish,
  insertDeviceLogin,
  notePoll,
  selectByDeviceCode,
  selectPending,
} from './store.ts';

const MINUTES = 10;
export const POLL_SECONDS = 2;

/**
 * Letters that are hard to confuse and form no words. A code has 34 bits, lives ten minutes and allows few attempts.
 */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;

/** The key of the hashes of user codes, which are too short to be stored as plain hashes. */
export const deviceKeyOf = (fingerprintKey: ServiceKey): KeyObject => deriveKey(fingerprintKey, 'sortie device codes');

const hashDeviceCode = (code: string) => createHash('sha256').update(`device:${code}`).digest('base64url');

/** Accepts the code in any case and with or without separators, as people type it. */
const hashUserCode = (key: KeyObject, code: string) =>
  createHmac('sha256', key)
    .update(code.toUpperCase().replace(/[^A-Z]/g, ''))
    .digest('base64url');

interface StartedLogin {
  /** Fetches the key, once. */
  deviceCode: Secret;
  /** For the person to type in the browser. */
  userCode: string;
  expiresInSeconds: number;
}

/** Creates a pending device login and resolves to its two codes. Only their hashes are stored. */
export function startDeviceLogin(
  database: Database,
  key: KeyObject,
  { name, address }: { name: string; address: string },
): Promise<StartedLogin> {
  const deviceCode = randomBase62(32);
  const letters = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  const userCode = `${letters.slice(0, LENGTH / 2)}-${letters.slice(LENGTH / 2)}`;
  return inTransaction(database, async (tx) => {
    await insertDeviceLogin(tx, {
      id: newId('dvc'),
      deviceCodeHash: hashDeviceCode(deviceCode),
      userCodeHash: hashUserCode(key, userCode),
      name,
      address,
      expiresAt: new Date(Date.now() + MINUTES * 60_000),
    });
    return { deviceCode: createSecret(deviceCode), userCode, expiresInSeconds: MINUTES * 60 };
  });
}

/** Resolves to the program that waits for a decision under this code. Throws NOT_FOUND for any other code. */
export async function requirePending(queries: Queries, key: KeyObject, userCode: string) {
  const found = await selectPending(queries, hashUserCode(key, userCode));
  if (found) return found;
  throw new AppError('NOT_FOUND', {
    field: 'userCode',
    message: 'No program waits with this code. Check it, or run the command again: a code is valid for ten minutes.',
  });
}

interface Approval {
  userCode: string;
  accountId: string;
  userId: string;
  role: Role;
  permissions: readonly Permission[];
  keyExpiresAt: Date | null;
}

/**
 * Approves a device login: the program can then fetch an API key that acts for the person. The caller must hold the
 * account's lock.
 */
export async function approveDeviceLogin(
  tx: Transaction,
  key: KeyObject,
  { userCode, accountId, userId, role, permissions, keyExpiresAt }: Approval,
): Promise<void> {
  requireOwnPermissions(role, permissions);
  const { id } = await requirePending(tx, key, userCode);
  const isFirst = await decide(tx, id, { userId, grant: { accountId, permissions, keyExpiresAt } });
  if (!isFirst) throw decided();
  const details = { permissions };
  await recordAudit(tx, { actor: userId, action: 'device-login.approved', accountId, subject: id, details });
}

/** Denies a pending device login. Throws if it is unknown, expired or already decided. */
export async function denyDeviceLogin(
  tx: Transaction,
  key: KeyObject,
  { userCode, userId }: Pick<Approval, 'userCode' | 'userId'>,
): Promise<void> {
  const { id } = await requirePending(tx, key, userCode);
  if (!(await decide(tx, id, { userId, grant: null }))) throw decided();
  await recordAudit(tx, { actor: userId, action: 'device-login.denied', accountId: null, subject: id });
}

/** Withdraws the person's approvals of programs that have not fetched their key yet. */
export const endApprovals = (queries: Queries, userId: string): Promise<void> => endApproved(queries, userId);

function decided(): AppError {
  const message = 'This request was approved or denied already. Run the command again.';
  return new AppError('NOT_FOUND', { field: 'userCode', message });
}

type Poll =
  | { state: 'PENDING' | 'SLOW_DOWN' | 'DENIED' | 'EXPIRED' }
  | { state: 'APPROVED'; key: Secret; account: { id: string; name: string } };

/**
 * Returns the state of a device login to the polling program. After the approval, one transaction creates the key, with
 * the person's current permissions, and ends the login: the key is issued once and its text is stored nowhere.
 */
export async function pollDeviceLogin(database: Database, deviceCode: string): Promise<Poll> {
  const { queries } = database;
  const found = await selectByDeviceCode(queries, hashDeviceCode(deviceCode));
  if (!found?.isOpen || found.state === 'DONE') return { state: 'EXPIRED' };
  if (!(await notePoll(queries, found.id, POLL_SECONDS - 1))) return { state: 'SLOW_DOWN' };
  const { id, name, state, userId, accountId, permissions, keyExpiresAt } = found;
  if (state !== 'APPROVED' || userId === null || accountId === null) {
    return { state: state === 'DENIED' ? 'DENIED' : 'PENDING' };
  }
  return inTransaction(database, async (tx) => {
    const role = await requireManager(tx, { accountId, userId }, roles);
    if (!(await finish(tx, id))) return { state: 'EXPIRED' };
    const permitted = (permissions ?? []).filter((each) => permissionsOf(role).includes(each));
    const given = { name, permissions: permitted, budget: null, expiresAt: keyExpiresAt };
    const { key } = await createOwnKey(tx, { accountId, userId, role }, given);
    const account = await requireAccount(tx, accountId);
    return { state: 'APPROVED', key, account: { id: account.id, name: account.name } };
  });
}
