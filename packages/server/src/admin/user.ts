import { z } from 'zod';
import { createLink, createUser, listUsers, requireUser } from '../accounts/accounts.ts';
import { OPERATOR } from '../audit/audit.ts';
import type { Transaction } from '../db/database.ts';
import type { AdminContext } from './context.ts';
import { limit, must, oneOf, parseInput, shortText } from './input.ts';

const Create = z.strictObject({
  email: z.email(must('an e-mail address')).max(200, 'must not be longer than 200 characters'),
  name: shortText('a name').optional(),
  staff: oneOf(['REVIEWER', 'OPERATOR']).optional(),
});
const List = z.strictObject({ limit: limit.default(50) });

const PasswordLink = z.strictObject({ user: shortText('a user id or e-mail address') });

const LINK_HOURS = 72;

async function createPasswordLink(tx: Transaction, userId: string) {
  const newLink = { userId, purpose: 'reset-password', hours: LINK_HOURS, actor: OPERATOR } as const;
  const { link, expiresAt } = await createLink(tx, newLink);
  return { link: link.reveal(), linkExpiresAt: expiresAt };
}

/** Returns the commands `sortie admin user`. */
export function userCommands({ transact }: AdminContext) {
  return {
    async create(input: z.input<typeof Create>) {
      const { email, name = email, staff } = parseInput(Create, input);
      return transact(async (tx) => {
        const user = await createUser(tx, { email, name, staff, actor: OPERATOR });
        return { ...user, ...(await createPasswordLink(tx, user.id)) };
      });
    },

    /** Creates a link to set a password, for users who have lost theirs or never had one. */
    async link(input: z.input<typeof PasswordLink>) {
      const { user } = parseInput(PasswordLink, input);
      return transact(async (tx) => {
        const { id, email } = await requireUser(tx, user);
        return { id, email, ...(await createPasswordLink(tx, id)) };
      });
    },

    async list(input: z.input<typeof List>) {
      const { limit } = parseInput(List, input);
      return transact(async (tx) => ({ users: await listUsers(tx, limit) }));
    },
  };
}
