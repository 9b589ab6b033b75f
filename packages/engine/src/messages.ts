import { z } from 'zod';
import { longText, PentestFinding } from './finding.ts';
import { meter, Phase } from './phase.ts';
import { ScanResult } from './scan-result.ts';
import type { EngineScript } from './script.ts';

/**
 * From the engine to its worker. The engine reads what targets send, so the worker believes nothing that is not of
 * this shape.
 */
export const FromEngine = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('phase'), phase: Phase }),
  z.strictObject({
    type: z.literal('step'),
    name: z.string().regex(/^[A-Z_]{1,20}\/\d{1,5}$/),
    phase: Phase,
    requests: meter,
    modelMicrodollars: meter,
    findings: z.array(PentestFinding).max(100),
  }),
  z.strictObject({
    type: z.literal('over'),
    outcome: z.enum(['COMPLETED', 'FAILED', 'CANCELLED']),
    /** What was tested and what was not, in words for the customer. */
    summary: longText,
  }),
  z.strictObject({ type: z.literal('scanned'), scanId: z.string().max(100), result: ScanResult }),
]);
export type FromEngine = z.infer<typeof FromEngine>;

/** One attempt at a pentest. */
export interface PentestOrder {
  type: 'pentest';
  targetUrl: string;
  /** Steps that an earlier attempt has finished: they are not repeated. */
  done: readonly string[];
  /** How often the next step was tried, this time included. */
  attempt: number;
  script: EngineScript | null;
  /** Whether a run may be completed that tested nothing. */
  mayPretend: boolean;
}

export interface ScanOrder {
  type: 'scan';
  scanId: string;
  url: string;
  attempt: number;
  script: EngineScript | null;
}

/** From the worker to its engine. The next step waits until the last one is saved. */
export type ToEngine = PentestOrder | ScanOrder | { type: 'saved'; name: string };
