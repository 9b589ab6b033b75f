import { z } from 'zod';

/** Counts of connections and refusals for one destination. The same shape from the sender to the database. */
export const EgressEntry = z.strictObject({
  host: z.string().max(255),
  port: z.int().min(0).max(65_535),
  /** Null if it was refused before the name was resolved. */
  address: z.string().max(60).nullable(),
  outcome: z.enum(['CONTACTED', 'REFUSED']),
  /** Why it was refused; null otherwise. */
  reason: z.string().max(300).nullable(),
  connections: z.int().min(0).max(1_000_000_000),
  requests: z.int().min(0).max(1_000_000_000),
});
export type EgressEntry = z.infer<typeof EgressEntry>;
