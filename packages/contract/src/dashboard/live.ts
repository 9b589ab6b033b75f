import { z } from 'zod';

/**
 * What can change while a page is open. `progress`: a run has saved a step. `access`: the person's access has changed,
 * so the page must reload all of its data.
 */
export const liveTopics = [
  'runs',
  'progress',
  'scans',
  'findings',
  'targets',
  'credits',
  'keys',
  'members',
  'access',
] as const;
export type LiveTopic = (typeof liveTopics)[number];

export const LiveChange = z
  .object({
    topic: z.enum(liveTopics).describe('What has changed.'),
    id: z.string().nullable().describe('Id of the run, scan, verification or key; null: any of them.'),
  })
  .describe('Something has changed. What it is now has to be read from its endpoint.');
export type LiveChange = z.infer<typeof LiveChange>;

/** The data of an event named `changed`. */
export const LiveChanges = z.array(LiveChange).describe('What has changed since the last event.');
