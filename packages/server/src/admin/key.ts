import { type Permission, permissions } from '@sortie/contract';
import { z } from 'zod';
import { requireAccount, requireUser } from '../accounts/accounts.ts';
import { OPERATOR } from '../audit/audit.ts';
import { parseKeyText } from '../keys/key-format.ts';
import { createKey, listKeys, revokeKey } from '../keys/keys.ts';
import type { AdminContext } from './context.ts';
import { expires, id, monthlyCap, must, parseInput, resolveExpiry, shortText } from './input.ts';

const PERMISSIONS = `all, or a comma-separated list of: ${permissions.join(', ')}`;

const permissionList = z.string(must(PERMISSIONS)).transform((text, context): Permission[] => {
  const words = text === 'all' ? permissions : text.split(',').map((word) => word.trim());
  const known = permissions.filter((permission) => words.includes(permission));
  if (known.length === new Set(words).size) return known;
  context.addIssue({ code: 'custom', message: `must be ${PERMISSIONS}` });
  return z.NEVER;
});

const Create = z.strictObject({
  account: id,
  user: shortText("a user's id or e-mail address"),
  permissions: permissionList,
  budget: monthlyCap.default(null),
  expires: expires.optional(),
  name: shortText('a name').default('API key'),
});
const List = z.strictObject({ account: id });
const Revoke = z.strictObject({ id });

/** Returns the commands `sortie admin key`. */
export function keyCommands({ transact }: AdminContext) {
  return {
    async create(input: z.input<typeof Create>) {
      const { account, user, permissions, budget, expires, name } = parseInput(Create, input);
      return transact(async (tx) => {
        const { id: accountId } = await requireAccount(tx, account);
        const { id: userId } = await requireUser(tx, user);
        const expiresAt = await resolveExpiry(tx, expires);
        return createKey(tx, { accountId, userId, permissions, budget, expiresAt, name, actor: OPERATOR });
      });
    },

    async list(input: z.input<typeof List>) {
      const { account } = parseInput(List, input);
      return transact(async (tx) => {
        const { id: accountId } = await requireAccount(tx, account);
        return { keys: await listKeys(tx, accountId) };
      });
    },

    /** Also accepts a whole key, so that a leaked key can be revoked without extracting its id first. */
    async revoke(input: z.input<typeof Revoke>) {
      const { id } = parseInput(Revoke, input);
      return transact((tx) => revokeKey(tx, { id: parseKeyText(id)?.id ?? id, actor: OPERATOR }));
    },
  };
}
