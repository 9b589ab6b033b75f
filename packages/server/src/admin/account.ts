import { z } from 'zod';
import {
  accountKinds,
  createAccount,
  listAccounts,
  listMembers,
  requireAccount,
  resumeAccount,
  setExternalModels,
  setPlan,
  suspendAccount,
} from '../accounts/accounts.ts';
import { OPERATOR } from '../audit/audit.ts';
import { DEFAULT_PLAN } from '../billing/catalogue.ts';
import { grantPlanCredits, readAccountBalance } from '../credits/credits.ts';
import { cancelAll } from '../pentests/pentests.ts';
import { cancelRetests } from '../retests/retests.ts';
import type { AdminContext } from './context.ts';
import { id, limit, oneOf, parseInput, shortText } from './input.ts';

const plan = shortText('the name of a plan');

const Create = z.strictObject({
  name: shortText('a name'),
  kind: oneOf(accountKinds),
  plan: plan.default(DEFAULT_PLAN),
});
const List = z.strictObject({ limit: limit.default(50) });
const OneAccount = z.strictObject({ id });
const SetModels = z.strictObject({ id, external: oneOf(['allow', 'forbid'] as const) });
const SetPlan = z.strictObject({ id, plan });

/** Returns the commands `sortie admin account`. */
export function accountCommands({ catalogue, transact }: AdminContext) {
  return {
    async create(input: z.input<typeof Create>) {
      const account = parseInput(Create, input);
      return transact(async (tx) => {
        const created = await createAccount(tx, { ...account, actor: OPERATOR }, catalogue);
        await grantPlanCredits(tx, created.id, catalogue);
        return created;
      });
    },

    async list(input: z.input<typeof List>) {
      const { limit } = parseInput(List, input);
      return transact(async (tx) => ({ accounts: await listAccounts(tx, limit) }));
    },

    async show(input: z.input<typeof OneAccount>) {
      const { id } = parseInput(OneAccount, input);
      return transact(async (tx) => {
        const account = await requireAccount(tx, id);
        const { available, held, plan, purchased, nextExpiry } = await readAccountBalance(tx, id);
        const balance = { available, held, plan, purchased, nextExpiry };
        return { ...account, members: await listMembers(tx, id), balance };
      });
    },

    async suspend(input: z.input<typeof OneAccount>) {
      const { id } = parseInput(OneAccount, input);
      return transact(async (tx) => {
        const account = await suspendAccount(tx, { accountId: id, actor: OPERATOR });
        await cancelRetests(tx, id, 'Cancelled because the account was suspended.');
        return {
          ...account,
          cancelledPentests: await cancelAll(tx, id, 'Cancelled because the account was suspended'),
        };
      });
    },

    async resume(input: z.input<typeof OneAccount>) {
      const { id } = parseInput(OneAccount, input);
      return transact((tx) => resumeAccount(tx, { accountId: id, actor: OPERATOR }));
    },

    async setModels(input: z.input<typeof SetModels>) {
      const { id, external } = parseInput(SetModels, input);
      const isAllowed = external === 'allow';
      return transact((tx) => setExternalModels(tx, { accountId: id, isAllowed, actor: OPERATOR }));
    },

    async setPlan(input: z.input<typeof SetPlan>) {
      const { id, plan } = parseInput(SetPlan, input);
      return transact(async (tx) => {
        const account = await setPlan(tx, { accountId: id, plan, actor: OPERATOR }, catalogue);
        await grantPlanCredits(tx, id, catalogue);
        return account;
      });
    },
  };
}
