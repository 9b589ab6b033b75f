import { coverageStatuses, type Depth } from '@sortie/contract';
import { z } from 'zod';
import { shortText, wellFormed } from './finding.ts';
import type { Obstacle } from './untested.ts';

/** More than the API lists: later runs are compared with all of them. */
export const MOST_REQUESTS = 1_000;
export const MOST_REASONS = 50;
const MOST_GROUPS = 100;

const group = z.string().regex(/^[a-z0-9-]{1,100}$/);
const groups = z.array(group).max(MOST_GROUPS);
const withReason = z.array(z.strictObject({ groups, reason: shortText })).max(MOST_GROUPS);
const number = z.int().min(0);

/** What a run has tested: per group of checks, and per request and account. */
export const Coverage = z.strictObject({
  groups: z
    .array(
      z.strictObject({
        group,
        status: z.enum(coverageStatuses),
        /** Numbers of requests. */
        tested: number,
        partlyTested: number,
        notTested: number,
        reasons: z.array(z.strictObject({ reason: shortText, cure: shortText })).max(MOST_REASONS),
      }),
    )
    .max(MOST_GROUPS),
  requests: z
    .array(
      z.strictObject({
        method: wellFormed(40),
        /** Template: ids are replaced, and parameters have no values. */
        url: wellFormed(1_000),
        /** GraphQL operation or SOAP procedure. */
        operation: wellFormed(1_000).nullable(),
        account: wellFormed(1_000).nullable(),
        tested: groups,
        partlyTested: withReason,
        notTested: withReason,
      }),
    )
    .max(MOST_REQUESTS),
  omittedRequests: number,
  accounts: z.array(wellFormed(1_000)).max(MOST_GROUPS).exactOptional(),
});
export type Coverage = z.infer<typeof Coverage>;

const BY_HAND = 'Test this request by hand, on a copy of the target.';

/** Groups of checks that run at this request only at a deeper level. */
export const needsDeeperLevel = (depth: Depth): Obstacle => ({
  reason: `At ${depth}, these checks do not run here: they may write to the target, or belong to a deeper level.`,
  cure: 'Choose a deeper level.',
});
export const MAY_HARM: Obstacle = {
  reason: 'These checks could change or delete data that existed before the run.',
  cure: BY_HAND,
};
export const WITHHELD: Obstacle = {
  reason: 'The request changed data or ended a session during the crawl, and was not sent again.',
  cure: BY_HAND,
};
export const CHANGE_REFUSED: Obstacle = {
  reason: 'Some requests of the checks would have changed what existed before the run, and were not sent.',
  cure: BY_HAND,
};
export const SET_ASIDE: Obstacle = {
  reason: 'The target did not respond to this request, or too slowly, several times.',
  cure: 'Make sure that the target responds in time, then run the pentest again.',
};
export const TOO_MUCH: Obstacle = {
  reason: 'The target has more to test than fits into one run.',
  cure: 'Exclude parts of the target, then run the pentest again.',
};
export const ENDED: Obstacle = {
  reason: 'The run ended before these tests.',
  cure: 'The summary says why. Run the pentest again.',
};
/** Stands for the reasons beyond those that a run keeps. */
export const OTHER_REASONS: Obstacle = {
  reason: 'Other reasons, of which the run had too many to list.',
  cure: 'Run the pentest again, with fewer accounts.',
};
/** Returns the obstacle of a run that stopped sending before its last test. */
export const stoppedSending = ({ reason, message }: { reason: string; message: string }): Obstacle => ({
  reason: message,
  cure:
    reason === 'unreachable'
      ? 'Make sure that the target stays reachable, then run the pentest again.'
      : 'Choose a deeper level, or exclude parts of the target, then run the pentest again.',
});
