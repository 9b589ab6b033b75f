import type { CreditSource } from '@sortie/contract';

interface SpendableGrant {
  id: number;
  source: CreditSource;
  available: number;
  expiresAt: Date | null;
}

/** Credits of one grant. */
export interface Slice {
  grantId: number;
  amount: number;
}

const sourceOrder: Record<CreditSource, number> = { plan: 0, purchased: 1 };

function compareForSpending(a: SpendableGrant, b: SpendableGrant): number {
  const [aExpiry, bExpiry] = [a.expiresAt?.getTime() ?? Infinity, b.expiresAt?.getTime() ?? Infinity];
  if (aExpiry !== bExpiry) return aExpiry < bExpiry ? -1 : 1;
  // Ids are assigned under the account's lock, so the smaller one is the older grant.
  return sourceOrder[a.source] - sourceOrder[b.source] || a.id - b.id;
}

/**
 * Takes the amounts one after the other: the earliest expiry first, then plan before purchased, then the oldest grant.
 * Returns one list of slices per amount, or null if the grants do not cover all amounts.
 */
export function takeInOrder(grants: readonly SpendableGrant[], amounts: readonly number[]): Slice[][] | null {
  const left = grants.toSorted(compareForSpending).map(({ id, available }) => ({ grantId: id, amount: available }));
  const taken = amounts.map((amount) => takeFrom(left, amount));
  return taken.every((slices) => slices !== null) ? taken : null;
}

/** Takes from the start of `left` and shortens it, so that the next amount continues there. */
function takeFrom(left: Slice[], wanted: number): Slice[] | null {
  const slices: Slice[] = [];
  for (const grant of left) {
    const amount = Math.min(grant.amount, wanted);
    if (amount === 0) continue;
    grant.amount -= amount;
    wanted -= amount;
    slices.push({ grantId: grant.grantId, amount });
  }
  return wanted === 0 ? slices : null;
}

/** Returns the sum of the slices. */
export function totalOf(slices: readonly Slice[]): number {
  return slices.reduce((sum, slice) => sum + slice.amount, 0);
}

/**
 * Charges the first slices and returns the last ones, so that the charge takes the same slices as a smaller hold would
 * have.
 */
export function splitCharge<S extends Slice>(slices: readonly S[], charge: number) {
  let left = charge;
  return slices.map((slice) => {
    const charged = Math.min(slice.amount, left);
    left -= charged;
    return { ...slice, charged, returned: slice.amount - charged };
  });
}
