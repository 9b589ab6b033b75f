import { randomUUID } from 'node:crypto';
import { creditSources } from '@sortie/contract';
import { z } from 'zod';
import { lockAccount } from '../accounts/accounts.ts';
import { OPERATOR, recordAudit } from '../audit/audit.ts';
import { adjustCredits, findBooked, grantCredits, readAccountBalance } from '../credits/credits.ts';
import type { Transaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import type { AdminContext } from './context.ts';
import {
  amount,
  expires,
  id,
  oneOf,
  operationKey,
  parseInput,
  resolveExpiry,
  shortText,
  signedAmount,
} from './input.ts';

const Grant = z.strictObject({
  account: id,
  source: oneOf(creditSources),
  amount,
  expires: expires.optional(),
  operationKey: operationKey.optional(),
});

const Adjust = z
  .strictObject({
    account: id,
    amount: signedAmount,
    reason: shortText('a reason'),
    source: oneOf(creditSources).optional(),
    expires: expires.optional(),
    operationKey: operationKey.optional(),
  })
  // Credits are removed in spending order, so the operator cannot choose their source.
  .refine(({ amount, source }) => amount > 0 || source === undefined, {
    path: ['source'],
    error: 'requires a positive amount',
  })
  .refine(({ amount, expires }) => amount > 0 || expires === undefined, {
    path: ['expires'],
    error: 'requires a positive amount',
  });

/**
 * Returns the operation key. Without a given one, a repeated command is a new operation. The prefixes keep both kinds
 * of keys apart.
 */
function toOperationKey(given: string | undefined): string {
  return given === undefined ? `operator:${randomUUID()}` : `operator-key:${given}`;
}

/** Resolves to the result of the first execution. Throws if the key is reused with another amount. */
async function findEarlier(
  tx: Transaction,
  { amount, ...request }: Parameters<typeof findBooked>[1] & { amount: number },
) {
  const booked = await findBooked(tx, request);
  if (!booked || booked.credits === amount) return booked;
  throw new AppError('VALIDATION_ERROR', {
    field: 'operationKey',
    message: `operationKey has been used for ${booked.credits} credits in this account. Choose another one.`,
  });
}

async function answer(tx: Transaction, operation: { id: string; credits: number }, accountId: string) {
  const { available, held, plan, purchased, nextExpiry } = await readAccountBalance(tx, accountId);
  return {
    id: operation.id,
    accountId,
    credits: operation.credits,
    balance: { available, held, plan, purchased, nextExpiry },
  };
}

/** Returns the commands `sortie admin credits`. */
export function creditsCommands({ transact }: AdminContext) {
  return {
    async grant(input: z.input<typeof Grant>) {
      const { account, source, amount, expires, ...given } = parseInput(Grant, input);
      const operationKey = toOperationKey(given.operationKey);
      return transact(async (tx) => {
        const { id: accountId } = await lockAccount(tx, account);
        const earlier = await findEarlier(tx, { accountId, kind: 'grant', operationKey, amount });
        if (earlier) return answer(tx, earlier, accountId);
        const expiresAt = await resolveExpiry(tx, expires);
        const description = source === 'plan' ? 'Plan credits.' : 'Purchased credits.';
        const granted = await grantCredits(tx, { accountId, source, amount, expiresAt, operationKey, description });
        const details = { source, amount, expiresAt: expiresAt?.toISOString() ?? null };
        await recordAudit(tx, { actor: OPERATOR, action: 'credits.granted', accountId, subject: granted.id, details });
        return answer(tx, granted, accountId);
      });
    },

    async adjust(input: z.input<typeof Adjust>) {
      const { account, amount, reason, source = 'purchased', expires, ...given } = parseInput(Adjust, input);
      const operationKey = toOperationKey(given.operationKey);
      return transact(async (tx) => {
        const { id: accountId } = await lockAccount(tx, account);
        const earlier = await findEarlier(tx, { accountId, kind: 'adjust', operationKey, amount });
        if (earlier) return answer(tx, earlier, accountId);
        const expiresAt = await resolveExpiry(tx, expires);
        const adjustment = { accountId, amount, source, expiresAt, operationKey };
        const adjusted = await adjustCredits(tx, { ...adjustment, description: reason });
        if ('refused' in adjusted) {
          throw new AppError(adjusted.refused, {
            field: 'amount',
            message: 'The account has fewer available credits than that. "account show" shows how many it has.',
          });
        }
        const details = { amount, reason, ...(amount > 0 && { source, expiresAt: expiresAt?.toISOString() ?? null }) };
        await recordAudit(tx, {
          actor: OPERATOR,
          action: 'credits.adjusted',
          accountId,
          subject: adjusted.id,
          details,
        });
        return answer(tx, adjusted, accountId);
      });
    },
  };
}
