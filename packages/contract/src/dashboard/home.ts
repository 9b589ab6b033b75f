import { z } from 'zod';

/** The checklist of a new account, in this order. */
export const firstSteps = ['SCAN', 'TARGET', 'VERIFICATION', 'RUN', 'KEY', 'PIPELINE'] as const;
export type FirstStep = (typeof firstSteps)[number];

export const GettingStarted = z
  .object({
    done: z.array(z.enum(firstSteps)).describe('The steps that are done: PIPELINE means that an API key was used.'),
    isSkipped: z.boolean().describe('Whether the person has put the steps aside.'),
  })
  .describe('The first steps in an account: those of the person, and for owners and admins those of everyone in it.')
  .meta({ id: 'GettingStarted' });
export type GettingStarted = z.infer<typeof GettingStarted>;

export const SkipGettingStarted = z
  .strictObject({ isSkipped: z.boolean('must be true or false').describe('Whether to put them aside.') })
  .describe('Puts the first steps aside, or shows them again.');
