import { z } from 'zod';
import { EgressEntry } from './egress-entry.ts';
import { shortText } from './finding.ts';
import { meter } from './phase.ts';

/** The outcome of a login try. */
export const LoginTryResult = z.strictObject({
  /** `LOGGED_IN`, or the code of the failure. */
  outcome: z.string().regex(/^[A-Z_]{1,30}$/),
  /** For the owner of the account, without secrets. */
  message: shortText,
  requests: meter,
  egress: z.array(EgressEntry).max(100),
});
export type LoginTryResult = z.infer<typeof LoginTryResult>;

export const LoginTryAnswer = z.strictObject({ type: z.literal('login'), result: LoginTryResult });
