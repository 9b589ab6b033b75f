import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { OPERATOR } from '../audit/audit.ts';
import {
  askForCheck,
  describeProof,
  listChecks,
  type OwnershipCheck,
  readCheck,
  requireVerification,
} from '../targets/targets.ts';
import type { AdminContext } from './context.ts';
import { countOf, id, parseInput } from './input.ts';

const Verify = z.strictObject({ id, wait: countOf(600).default(60) });
const Checks = z.strictObject({ id });

const POLL_EVERY_MS = 200;

/** Returns the commands that check the ownership of a target. */
export function verifyCommands({ transact }: AdminContext) {
  async function waitFor(checkId: string, milliseconds: number): Promise<OwnershipCheck> {
    const giveUpAt = performance.now() + milliseconds;
    for (;;) {
      const check = await transact((tx) => readCheck(tx, checkId));
      if (check.outcome !== null || performance.now() > giveUpAt) return check;
      await sleep(POLL_EVERY_MS);
    }
  }

  return {
    /** Requests a check and waits until a worker has completed it, at most `wait` seconds. */
    async verify(input: z.input<typeof Verify>) {
      const { id: verificationId, wait } = parseInput(Verify, input);
      const checkId = await transact((tx) => askForCheck(tx, { verificationId, actor: OPERATOR }));
      const check = await waitFor(checkId, wait * 1_000);
      const verification = await transact((tx) => requireVerification(tx, verificationId));
      const { targetId, accountId, origin, method, token, verifiedAt, expiresAt } = verification;
      const { outcome, takenBy, askedAt, checkedAt, lookUps } = check;
      return {
        id: targetId,
        verificationId,
        accountId,
        origin,
        method,
        token,
        proof: describeProof(verification),
        checkId,
        outcome: outcome ?? 'WAITING',
        message: check.message ?? (takenBy === null ? noWorker(wait) : stillLooking(wait)),
        lookUps: lookUps ?? [],
        askedAt,
        checkedAt,
        verifiedAt,
        expiresAt,
      };
    },

    /** Resolves to the checks of a verification, newest first. */
    async checks(input: z.input<typeof Checks>) {
      const { id: verificationId } = parseInput(Checks, input);
      return transact(async (tx) => ({ checks: await listChecks(tx, verificationId) }));
    },
  };
}

const LATER = 'The check stays queued: show its outcome with "target checks".';

const noWorker = (seconds: number) =>
  `No worker took the check within ${seconds} s. Check that a node runs with --role all or --role worker. ${LATER}`;

const stillLooking = (seconds: number) =>
  `A worker took the check, but did not finish it within ${seconds} s. ${LATER}`;
