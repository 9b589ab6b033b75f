import { endpoints } from '@sortie/contract';
import { z } from 'zod';
import { requireAccount } from '../accounts/accounts.ts';
import { listEgress } from '../egress/egress.ts';
import {
  inspectPentest,
  inspectPentests,
  readActivity,
  readDiagnostics,
  readStatement,
  requirePentest,
} from '../pentests/pentests.ts';
import { findReview } from '../review/review.ts';
import { readConsent } from '../targets/targets.ts';
import type { AdminContext } from './context.ts';
import { id, limit, parseInput, shortText } from './input.ts';

const List = z.strictObject({
  account: id.optional(),
  status: endpoints.listPentests.query.status,
  limit: limit.default(50),
});
const OneRun = z.strictObject({ run: id });
const Trace = z.strictObject({
  run: id,
  check: z
    .string()
    .regex(/^[a-z0-9-]{1,100}$/, 'must be the id of a check, such as reflected-xss')
    .optional(),
  url: shortText('a part of a URL').optional(),
});

/** Returns the commands `sortie admin run`. */
export function runCommands({ transact }: AdminContext) {
  return {
    async list(input: z.input<typeof List>) {
      const { account, status, limit } = parseInput(List, input);
      return transact(async (tx) => {
        if (account !== undefined) await requireAccount(tx, account);
        return { runs: await inspectPentests(tx, { accountId: account, status, limit }) };
      });
    },

    async show(input: z.input<typeof OneRun>) {
      const { run } = parseInput(OneRun, input);
      return transact(async (tx) => {
        const inspected = await inspectPentest(tx, run);
        const review = await findReview(tx, run);
        return {
          ...inspected,
          review: review ? toReviewPart(review) : null,
          consent: (await readConsent(tx, run)) ?? null,
          egress: await listEgress(tx, run),
        };
      });
    },

    /** Resolves to what the checks of a run planned, sent and judged. Customers have no access to it. */
    async trace(input: z.input<typeof Trace>) {
      const { run, check: checkId, url: urlPart } = parseInput(Trace, input);
      return transact(async (tx) => {
        const { id, status, targetUrl, depth } = await requirePentest(tx, run);
        return { id, status, targetUrl, depth, ...(await readDiagnostics(tx, run, { checkId, urlPart })) };
      });
    },

    /** Resolves to the actions of the planner's agents in a run. Customers see them once the report is released. */
    async activity(input: z.input<typeof OneRun>) {
      const { run } = parseInput(OneRun, input);
      return transact(async (tx) => {
        const { id, status, targetUrl, depth } = await requirePentest(tx, run);
        return { id, status, targetUrl, depth, activity: await readActivity(tx, run) };
      });
    },

    /** Resolves to the calculation of a run's charge, with the use of every reserved credit. */
    async statement(input: z.input<typeof OneRun>) {
      const { run } = parseInput(OneRun, input);
      return transact(async (tx) => {
        const pentest = await requirePentest(tx, run);
        const { id, accountId, targetUrl, depth } = pentest;
        return { id, accountId, targetUrl, depth, ...(await readStatement(tx, pentest)) };
      });
    },
  };
}

type Review = NonNullable<Awaited<ReturnType<typeof findReview>>>;

function toReviewPart({ state, reviewerId, createdAt, takenAt, decidedAt }: Review) {
  return { state, reviewerId, createdAt, takenAt, decidedAt };
}
