import { z } from 'zod';
import { storable } from './finding.ts';

/** Per step. */
export const MOST_ACTIVITIES = 100;

/** What an agent of the planner did, in words for people: without secrets, links and markup. */
export const Activity = z.strictObject({
  specialist: z.string().regex(/^[a-z][a-z -]{0,60}$/),
  /** What the agent expected; null if it only looked around. */
  hypothesis: storable(600).nullable(),
  tried: storable(600),
  outcome: storable(600),
});
export type Activity = z.infer<typeof Activity>;

/** How often an agent has used a tool in a step, and the requests that it sent by it. */
export const ToolUse = z.strictObject({
  specialist: Activity.shape.specialist,
  tool: z.string().regex(/^[a-z][a-z_]{0,60}$/),
  times: z.int().min(1).max(1_000_000),
  requests: z.int().min(0).max(1_000_000_000),
});
export type ToolUse = z.infer<typeof ToolUse>;

/** Other words for description and remediation of a finding; null where they stay. */
export const Rewritten = z.strictObject({
  fingerprint: z.string().regex(/^[\x21-\x7e]{1,200}$/),
  description: storable(4_000),
  remediation: storable(4_000),
  /** Lower than before; null if it stays. */
  confidence: z.enum(['FIRM', 'TENTATIVE']).nullable(),
});
export type Rewritten = z.infer<typeof Rewritten>;
