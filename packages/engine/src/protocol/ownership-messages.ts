import { z } from 'zod';
import { EgressEntry } from './egress-entry.ts';
import { shortText } from './finding.ts';
import type { Network } from './network-settings.ts';

/** Where a token is put to prove who owns a target. */
export const proofPlaces = {
  /** In a TXT record of its own, before the token. */
  dnsPrefix: 'sortie-verification=',
  filePath: '/.well-known/sortie-verification.txt',
  metaName: 'sortie-verification',
} as const;

/** What was looked up to prove who owns a target, and what was seen there. */
export const OwnershipResult = z.strictObject({
  /** `UNKNOWN`: it could not be looked up now, which proves nothing either way. */
  outcome: z.enum(['FOUND', 'NOT_FOUND', 'UNKNOWN']),
  /** In words for its owner: what was looked for and where, and what to do if it was not there. */
  message: shortText,
  lookUps: z.array(z.strictObject({ place: shortText, seen: z.array(shortText).max(20) })).max(20),
  egress: z.array(EgressEntry).max(100),
});
export type OwnershipResult = z.infer<typeof OwnershipResult>;

/** What is to be found, and where: a name for DNS, an origin for the others. */
export interface OwnershipQuestion {
  method: 'dns' | 'file' | 'meta';
  token: string;
  coveredName: string | null;
  coveredOrigin: string | null;
}

export interface OwnershipOrder extends OwnershipQuestion {
  type: 'ownership';
  /** For a run: the origin whose servers have to show that they belong to its name, and by which tokens. */
  servers?: { origin: string; tokens: readonly string[] } | undefined;
  checkId: string;
  network: Network;
}

export const OwnershipAnswer = z.strictObject({
  type: z.literal('owned'),
  checkId: z.string().max(100),
  result: OwnershipResult,
});

/** One look for a token, before anybody has counted where it went. */
export type OwnershipLook = Omit<OwnershipResult, 'egress'>;

interface Looked {
  /** `the token`, `a TXT record` … */
  what: string;
  place: string;
  /** What was there instead, or what stood in the way. */
  seen: string;
  /** How to put it right. */
  remedy: string;
  lookUps: OwnershipLook['lookUps'];
}

const MOST_SEEN = 300;

export function describeLook(outcome: OwnershipResult['outcome'], looked: Looked): OwnershipLook {
  const { what, place, remedy, lookUps } = looked;
  const seen = looked.seen.slice(0, MOST_SEEN).replace(/\.$/, '');
  const messages = {
    FOUND: `Found ${what} at ${place}.`,
    NOT_FOUND: `Looked for ${what} at ${place}, but ${seen}. ${remedy}`,
    UNKNOWN: `Could not look for ${what} at ${place}: ${seen}. Check again when that is solved.`,
  };
  return { outcome, message: messages[outcome], lookUps };
}
