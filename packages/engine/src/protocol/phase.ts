import { z } from 'zod';

/** Phases of a run after it has left the queue, in this order. */
export const phases = ['VERIFYING', 'RECON', 'ENUMERATION', 'WEB_TEST', 'API_TEST', 'ANALYSIS', 'REPORTING'] as const;
/** One of the seven phases of a pentest. */
export const Phase = z.enum(phases);
export type Phase = z.infer<typeof Phase>;

export const meter = z.int().min(0).max(1_000_000_000);
