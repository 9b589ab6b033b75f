import { roles } from '@sortie/contract';
import { z } from 'zod';
import { addMember, removeMember, requireAccount, requireUser, setAllowance, setRole } from '../accounts/accounts.ts';
import { OPERATOR } from '../audit/audit.ts';
import type { Transaction } from '../db/database.ts';
import type { AdminContext } from './context.ts';
import { id, monthlyCap, oneOf, parseInput, shortText } from './input.ts';

const membership = { account: id, user: shortText("a user's id or e-mail address") };

const Add = z.strictObject({ ...membership, role: oneOf(roles), allowance: monthlyCap.default(null) });
const SetRole = z.strictObject({ ...membership, role: oneOf(roles) });
const SetAllowance = z.strictObject({ ...membership, allowance: monthlyCap });
const Remove = z.strictObject(membership);

/** Checks the account first, because for a wrong account the missing membership is not the cause. */
async function findMembership(tx: Transaction, { account, user }: { account: string; user: string }) {
  const { id: accountId } = await requireAccount(tx, account);
  const { id: userId } = await requireUser(tx, user);
  return { accountId, userId, actor: OPERATOR };
}

/** Returns the commands `sortie admin member`. */
export function memberCommands({ transact }: AdminContext) {
  return {
    async add(input: z.input<typeof Add>) {
      const { role, allowance, ...member } = parseInput(Add, input);
      return transact(async (tx) => addMember(tx, { ...(await findMembership(tx, member)), role, allowance }));
    },

    async setRole(input: z.input<typeof SetRole>) {
      const { role, ...member } = parseInput(SetRole, input);
      return transact(async (tx) => setRole(tx, { ...(await findMembership(tx, member)), role }));
    },

    async setAllowance(input: z.input<typeof SetAllowance>) {
      const { allowance, ...member } = parseInput(SetAllowance, input);
      return transact(async (tx) => setAllowance(tx, { ...(await findMembership(tx, member)), allowance }));
    },

    async remove(input: z.input<typeof Remove>) {
      const member = parseInput(Remove, input);
      return transact(async (tx) => {
        const was = await removeMember(tx, await findMembership(tx, member));
        return { ...was, removed: true };
      });
    },
  };
}
