import { z } from 'zod';
import { EgressEntry } from './egress-entry.ts';
import { shortText } from './finding.ts';
import type { Network } from './network-settings.ts';

/** Where to publish a token that proves ownership of a target. */
export const proofPlaces = {
  /** Precedes the token in a TXT record. */
  dnsPrefix: 'sortie-verification=',
  filePath: '/.well-known/sortie-verification.txt',
  metaName: 'sortie-verification',
} as const;

/** What was looked up to verify the ownership of a target, and what was found there. */
export const OwnershipResult = z.strictObject({
  /** `UNKNOWN`: the lookup failed, so ownership is undetermined. */
  outcome: z.enum(['FOUND', 'NOT_FOUND', 'UNKNOWN']),
  /** Message for the owner: what was looked for and where, and what to do if it was not found. */
  message: shortText,
  lookUps: z.array(z.strictObject({ place: shortText, seen: z.array(shortText).max(20) })).max(20),
  egress: z.array(EgressEntry).max(100),
});
export type OwnershipResult = z.infer<typeof OwnershipResult>;

/** What to look for and where: at a name for DNS, at an origin for the other methods. */
export interface OwnershipQuestion {
  method: 'dns' | 'file' | 'meta';
  token: string;
  coveredName: string | null;
  coveredOrigin: string | null;
}

/** The order to check who owns a target. */
export interface OwnershipOrder extends OwnershipQuestion {
  type: 'ownership';
  /** For a run: the origin whose servers have to prove that they belong to its name, and the tokens for that. */
  servers?: { origin: string; tokens: readonly string[] } | undefined;
  checkId: string;
  network: Network;
}

export const OwnershipAnswer = z.strictObject({
  type: z.literal('owned'),
  checkId: z.string().max(100),
  result: OwnershipResult,
});

/** Result of one lookup, without its egress. */
export type OwnershipLook = Omit<OwnershipResult, 'egress'>;

interface Looked {
  /** Such as `the token` or `a TXT record`. */
  what: string;
  place: string;
  /** What was found instead, or what prevented the lookup. */
  seen: string;
  /** How to fix it. */
  remedy: string;
  lookUps: OwnershipLook['lookUps'];
}

const MOST_SEEN = 300;

export function describeLook(outcome: OwnershipResult['outcome'], looked: Looked): OwnershipLook {
  const { what, place, remedy, lookUps } = looked;
  const seen = looked.seen.slice(0, MOST_SEEN).replace(/\.$/, '');
  const messages = {
    FOUND: `Found ${what} at ${place}.`,
    NOT_FOUND: `Did not find ${what} at ${place}: ${seen}. ${remedy}`,
    UNKNOWN: `Could not look up ${what} at ${place}: ${seen}. Fix this, then check again.`,
  };
  return { outcome, message: messages[outcome], lookUps };
}
