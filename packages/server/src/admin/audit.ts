import { z } from 'zod';
import { requireAccount } from '../accounts/accounts.ts';
import { listAudit } from '../audit/audit.ts';
import type { AdminContext } from './context.ts';
import { id, limit, parseInput } from './input.ts';

const List = z.strictObject({ account: id.optional(), limit: limit.default(50) });

/** Returns the commands `sortie admin audit`. */
export function auditCommands({ transact }: AdminContext) {
  return {
    async list(input: z.input<typeof List>) {
      const { account, limit } = parseInput(List, input);
      return transact(async (tx) => {
        if (account !== undefined) await requireAccount(tx, account);
        return { entries: await listAudit(tx, { accountId: account, limit }) };
      });
    },
  };
}
