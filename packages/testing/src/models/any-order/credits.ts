import type { CreditSource } from '@sortie/contract';

/** A minimal model of credits: a grant knows its available and held credits, a share the grants it was drawn from. */
export interface ModelGrant {
  source: CreditSource;
  expiresAt: number | null;
  available: number;
  held: number;
  /** End of the grace period of credits returned after expiry; `never` for the returned credits themselves. */
  graceUntil?: number | 'never';
}

/** The hold for one purpose of a run, in the order it was drawn. `charged` is null until it is settled. */
export interface Share {
  slices: { grant: number; amount: number }[];
  charged: number | null;
}

const DAY_MS = 24 * 3_600_000;

const isExpired = ({ expiresAt }: ModelGrant, now: number) => expiresAt !== null && expiresAt <= now;
const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);

export const reservedOf = ({ slices }: Share) => sum(slices.map(({ amount }) => amount));

/** Spends the earliest expiry first, then plan before purchased, then the oldest. */
function inSpendingOrder(grants: readonly ModelGrant[], now: number): number[] {
  const rank = (number: number) => {
    const { expiresAt, source } = grants[number] ?? {};
    return [expiresAt ?? Infinity, source === 'plan' ? 0 : 1, number] as const;
  };
  const live = [...grants.keys()].filter((number) => !isExpired(grantOf(grants, number), now));
  return live.toSorted((one, other) => {
    const [a, b] = [rank(one), rank(other)];
    const differs = a.findIndex((value, index) => value !== b[index]);
    return (a[differs] ?? 0) < (b[differs] ?? 0) ? -1 : 1;
  });
}

/** Returns undefined if the credits do not suffice. */
export function hold(grants: ModelGrant[], now: number, amounts: readonly number[]): Share[] | undefined {
  const order = inSpendingOrder(grants, now);
  if (sum(order.map((number) => grantOf(grants, number).available)) < sum([...amounts])) return undefined;
  return amounts.map((amount) => {
    const share: Share = { slices: [], charged: null };
    for (const number of order) {
      const grant = grantOf(grants, number);
      const drawn = Math.min(grant.available, amount - reservedOf(share));
      if (drawn === 0) continue;
      grant.available -= drawn;
      grant.held += drawn;
      share.slices.push({ grant: number, amount: drawn });
    }
    return share;
  });
}

/**
 * Charges the slices drawn first and returns the rest. Credits returned to an expired grant become a new grant until
 * the grace period ends, seven days after the first return; without a grace period they are lost.
 */
export function settle(grants: ModelGrant[], now: number, share: Share, charge: number, isStarted = true): void {
  share.charged = charge;
  let left = charge;
  for (const { grant: number, amount } of share.slices) {
    const grant = grantOf(grants, number);
    const spent = Math.min(amount, left);
    left -= spent;
    grant.held -= amount;
    if (spent === amount) continue;
    if (!isExpired(grant, now)) grant.available += amount - spent;
    else if (isStarted && grant.graceUntil !== 'never') {
      grant.graceUntil ??= now + 7 * DAY_MS;
      const { source, graceUntil: expiresAt } = grant;
      if (expiresAt > now) grants.push({ source, expiresAt, available: amount - spent, held: 0, graceUntil: 'never' });
    }
  }
}

export function balanceOf(grants: readonly ModelGrant[], now: number) {
  const live = grants.filter((grant) => grant.available > 0 && !isExpired(grant, now));
  const availableIn = (some: ModelGrant[]) => sum(some.map(({ available }) => available));
  const next = Math.min(...live.map(({ expiresAt }) => expiresAt ?? Infinity));
  const nextCredits = availableIn(live.filter(({ expiresAt }) => expiresAt === next));
  return {
    available: availableIn(live),
    held: sum(grants.map(({ held }) => held)),
    plan: availableIn(live.filter(({ source }) => source === 'plan')),
    purchased: availableIn(live.filter(({ source }) => source === 'purchased')),
    nextExpiry: next === Infinity ? null : { credits: nextCredits, at: new Date(next).toISOString() },
  };
}

/** Returns the credits as `source expiry: available + held`, regardless of how they are split into grants. */
export function creditsByExpiry(grants: readonly ModelGrant[], now: number): string[] {
  const kinds = Map.groupBy(grants, ({ source, expiresAt }) => `${source} ${expiresAt ?? 'lasting'}`);
  return [...kinds].flatMap(([kind, some]) => {
    const available = sum(some.filter((grant) => !isExpired(grant, now)).map((grant) => grant.available));
    const held = sum(some.map((grant) => grant.held));
    return available + held === 0 ? [] : [`${kind}: ${available} + ${held}`];
  });
}

function grantOf(grants: readonly ModelGrant[], number: number): ModelGrant {
  const grant = grants[number];
  if (!grant) throw new Error(`the model has no grant ${number}`);
  return grant;
}
