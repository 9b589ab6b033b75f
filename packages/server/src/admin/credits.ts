import { randomUUID } from 'node:crypto';
import { creditSources } from '@sortie/contract';
import { z } from 'zod';
import { lockAccount } from '../accounts/accounts.ts';
import { AppError } from '../app-error.ts';
import { OPERATOR, recordAudit } from '../audit/audit.ts';
import { adjustCredits, grantCredits, readAccountBalance } from '../credits/credits.ts';
import type { Transaction } from '../db/database.ts';
import type { AdminContext } from './context.ts';
import { amount, expires, id, oneOf, parseInput, resolveExpiry, shortText, signedAmount } from './input.ts';

const Grant = z.strictObject({ account: id, source: oneOf(creditSources), amount, expires: expires.optional() });

const Adjust = z
  .strictObject({
    account: id,
    amount: signedAmount,
    reason: shortText('a reason'),
    source: oneOf(creditSources).optional(),
    expires: expires.optional(),
  })
  // Credits are taken in the order in which they would be spent: which ones is not the operator's choice.
  .refine(({ amount, source }) => amount > 0 || source === undefined, {
    path: ['source'],
    error: 'only goes with a positive amount',
  })
  .refine(({ amount, expires }) => amount > 0 || expires === undefined, {
    path: ['expires'],
    error: 'only goes with a positive amount',
  });

/** A command is carried out once: repeating it is meant as another grant. */
const newOperationKey = () => `operator:${randomUUID()}`;

async function answer(tx: Transaction, operation: { id: string; credits: number }, accountId: string) {
  const { available, held, plan, purchased, nextExpiry } = await readAccountBalance(tx, accountId);
  return {
    id: operation.id,
    accountId,
    credits: operation.credits,
    balance: { available, held, plan, purchased, nextExpiry },
  };
}

export function creditsCommands({ transact }: AdminContext) {
  return {
    async grant(input: z.input<typeof Grant>) {
      const { account, source, amount, expires } = parseInput(Grant, input);
      return transact(async (tx) => {
        const { id: accountId } = await lockAccount(tx, account);
        const expiresAt = await resolveExpiry(tx, expires);
        const description = source === 'plan' ? 'Plan credits.' : 'Purchased credits.';
        const operationKey = newOperationKey();
        const granted = await grantCredits(tx, { accountId, source, amount, expiresAt, operationKey, description });
        const details = { source, amount, expiresAt: expiresAt?.toISOString() ?? null };
        await recordAudit(tx, { actor: OPERATOR, action: 'credits.granted', accountId, subject: granted.id, details });
        return answer(tx, granted, accountId);
      });
    },

    async adjust(input: z.input<typeof Adjust>) {
      const { account, amount, reason, source = 'purchased', expires } = parseInput(Adjust, input);
      return transact(async (tx) => {
        const { id: accountId } = await lockAccount(tx, account);
        const expiresAt = await resolveExpiry(tx, expires);
        const adjustment = { accountId, amount, source, expiresAt, operationKey: newOperationKey() };
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
