import type { CreditPart, CreditSource, UsageType } from '@sortie/contract';

/**
 * A minimal model of the credit rules: every credit is an object in exactly one place. Without SQL, slices and balance
 * arithmetic; too slow for production, but simple enough to be verified by reading.
 */
export type Place = 'available' | 'held' | 'spent' | 'expired' | 'removed' | 'moved';

export interface Credit {
  place: Place;
  grant: ModelGrant;
}

export interface ModelGrant {
  number: number;
  source: CreditSource;
  expiresAt: Date | null;
  parent: ModelGrant | null;
  /** Set by the first return after the expiry: the end of the grace period for this and all later returns. */
  graceUntil: Date | null;
  credits: Credit[];
}

export interface ModelPart {
  credits: Credit[];
  charged: number | null;
}

export interface ModelRun extends Record<CreditPart, ModelPart> {
  runId: string;
  apiKeyId: string | null;
  userId: string;
  month: string;
  state: 'RESERVED' | 'CHARGED' | 'RETURNED';
}

interface ModelOperation {
  type: UsageType;
  credits: number;
  part: CreditPart | null;
  pentestId: string | null;
  apiKeyId: string | null;
  createdAt: string;
  balanceAfter: { available: number; held: number };
}

export interface LedgerModel {
  now: Date;
  /** The monthly credits of the account's current plan. */
  monthlyCredits: number;
  caps: Map<string, number | null>;
  grants: ModelGrant[];
  runs: Map<string, ModelRun>;
  operations: ModelOperation[];
  booked: Map<string, { credits: number; balanceAfter: ModelOperation['balanceAfter'] }>;
  planCredits: Map<string, number>;
}
