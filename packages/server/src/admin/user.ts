import { z } from 'zod';
import { createUser, listUsers } from '../accounts/accounts.ts';
import { OPERATOR } from '../audit/audit.ts';
import type { AdminContext } from './context.ts';
import { limit, must, oneOf, parseInput, shortText } from './input.ts';

const Create = z.strictObject({
  email: z.email(must('an e-mail address')).max(200, 'must not be longer than 200 characters'),
  name: shortText('a name').optional(),
  staff: oneOf(['REVIEWER', 'OPERATOR']).optional(),
});
const List = z.strictObject({ limit: limit.default(50) });

export function userCommands({ transact }: AdminContext) {
  return {
    async create(input: z.input<typeof Create>) {
      const { email, name = email, staff } = parseInput(Create, input);
      return transact((tx) => createUser(tx, { email, name, staff, actor: OPERATOR }));
    },

    async list(input: z.input<typeof List>) {
      const { limit } = parseInput(List, input);
      return transact(async (tx) => ({ users: await listUsers(tx, limit) }));
    },
  };
}
