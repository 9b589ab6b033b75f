import { z } from 'zod';
import { browserProblems } from '../protocol/browser-problem.ts';

/** Last line on stderr of the process that prints on behalf of root. */
export const PrintOutcome = z.object({
  isSandboxed: z.boolean().default(false),
  problem: z.enum(browserProblems).nullable().default('could not start'),
  message: z.string().default('the PDF process ended early'),
});
export type PrintOutcome = z.input<typeof PrintOutcome>;
