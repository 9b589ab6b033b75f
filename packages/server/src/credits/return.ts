import type { CreditPart } from '@sortie/contract';
import type { Hold } from './hold-store.ts';
import { book, hasExpired, type Ledger } from './ledger.ts';
import { type Slice, totalOf } from './slices.ts';
import { findChildExpiry, insertGrant, type LiveGrant, type Move } from './store.ts';

/** Time to spend credits that return after their grant has expired. */
const GRACE_MS = 7 * 24 * 60 * 60 * 1000;

interface Returned {
  hold: Hold;
  part: CreditPart;
  slices: readonly Slice[];
  hasGrace: boolean;
}

/**
 * Returns the credits of a part. Credits whose grant expired while they were held move to a child grant, or expire
 * immediately.
 */
export async function bookReturn(ledger: Ledger, { hold, part, slices, hasGrace }: Returned): Promise<void> {
  const moves: Move[] = [];
  const expired: Slice[] = [];
  for (const slice of slices) {
    const { amount } = slice;
    const grant = grantOf(ledger, slice);
    const isExpired = hasExpired(grant, ledger.now);
    const expiresAt = isExpired && hasGrace ? await findGrace(ledger, grant) : undefined;
    if (expiresAt) moves.push(...(await moveToChild(ledger, grant, { amount, expiresAt })));
    else moves.push({ grantId: grant.id, from: 'held', to: 'available', amount });
    if (isExpired && !expiresAt) expired.push(slice);
  }
  const reason = part === 'testing' ? 'Unused testing credits returned.' : 'Unused review credits returned.';
  const isMoved = moves.some((move) => move.to === 'moved');
  const operation = {
    operationKey: `return:${hold.runId}:${part}`,
    type: 'RETURN',
    credits: totalOf(slices),
    description: isMoved ? `${reason} Credits that expired meanwhile stay usable for up to seven more days.` : reason,
    part,
    run: hold,
  } as const;
  await book(ledger, operation, moves);
  if (expired.length > 0) await bookExpiry(ledger, hold, part, expired);
}

function grantOf(ledger: Ledger, { grantId }: Slice): LiveGrant {
  const grant = ledger.grants.find(({ id }) => id === grantId);
  if (!grant) throw new Error(`grant ${grantId} has a held slice but no held credits`);
  return grant;
}

/**
 * Resolves to the end of the grace period. An original grant gets it once: its first return after the expiry starts
 * seven days that all later returns share. Otherwise repeated holds could keep credits alive forever.
 */
async function findGrace({ tx, accountId, now }: Ledger, grant: LiveGrant): Promise<Date | undefined> {
  if (grant.parentId !== null) return undefined;
  const begun = await findChildExpiry(tx, accountId, grant.id);
  if (!begun) return new Date(now.getTime() + GRACE_MS);
  return begun > now ? begun : undefined;
}

async function moveToChild(
  { tx, accountId, now }: Ledger,
  { id: parentId, source }: LiveGrant,
  { amount, expiresAt }: { amount: number; expiresAt: Date },
): Promise<Move[]> {
  const childId = await insertGrant(tx, { accountId, source, amount, expiresAt, parentId, createdAt: now });
  return [
    { grantId: parentId, from: 'held', to: 'moved', amount },
    { grantId: childId, from: 'issued', to: 'available', amount },
  ];
}

async function bookExpiry(ledger: Ledger, hold: Hold, part: CreditPart, slices: readonly Slice[]): Promise<void> {
  const moves = slices.map(({ grantId, amount }) => ({ grantId, from: 'available', to: 'expired', amount }) as const);
  const operation = {
    operationKey: `expire:${hold.runId}:${part}`,
    type: 'EXPIRE',
    credits: -totalOf(slices),
    description: 'Expired while the run held them.',
    part,
    run: hold,
  } as const;
  await book(ledger, operation, moves);
}
