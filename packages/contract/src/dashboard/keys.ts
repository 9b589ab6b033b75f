import { z } from 'zod';
import { CreditCap } from '../credits.ts';
import { permissions } from '../permissions.ts';
import { Timestamp } from '../timestamp.ts';
import { Expiry, MonthlyCap, ShortText } from './words.ts';

const keyStates = ['ACTIVE', 'EXPIRED', 'REVOKED', 'WITHOUT_MEMBER'] as const;

export const ManagedKey = z
  .object({
    id: z.string().describe('Id of the key: the middle part of its text, no secret.'),
    name: z.string().describe('Name that the creator gave the key.'),
    lastFour: z.string().describe('The last four characters of the key.'),
    state: z.enum(keyStates).describe('`WITHOUT_MEMBER`: its creator is no longer a member, so that it does nothing.'),
    permissions: z.array(z.enum(permissions)).describe('Permissions of the key.'),
    effectivePermissions: z
      .array(z.enum(permissions))
      .describe('Those permissions that the current role of the creator has too.'),
    createdBy: z
      .object({ userId: z.string().describe('Id of the member.'), name: z.string().describe('Name of the member.') })
      .describe('Who created the key.'),
    isOwn: z.boolean().describe('Whether the caller created the key. Only own keys can be rolled.'),
    budget: CreditCap.nullable().describe(
      'Monthly credit budget, shared with the keys it was rolled from; null: none.',
    ),
    usedThisMonth: z.int().describe('Reserved minus returned, of the runs started with the key in this month (UTC).'),
    expiresAt: Timestamp.nullable().describe('Null when the key does not expire.'),
    revokedAt: Timestamp.nullable().describe('Null unless the key is revoked.'),
    lastUsedAt: Timestamp.nullable().describe('To the minute; null when the key has not been used.'),
    createdAt: Timestamp.describe('When the key was created.'),
  })
  .describe('An API key, without its secret.')
  .meta({ id: 'ManagedKey' });
export type ManagedKey = z.infer<typeof ManagedKey>;

export const ListKeysResponse = z.object({ keys: z.array(ManagedKey).describe('Newest first.') }).describe('API keys.');

export const NewKey = z
  .strictObject({
    name: ShortText.describe('Name of the key.'),
    permissions: z
      .array(z.enum(permissions))
      .min(1, 'must have at least one permission')
      .describe('At most those of the own role.'),
    budget: MonthlyCap.default(null).describe('Credits per month; null: no budget.'),
    expiresAt: Expiry.nullable().default(null).describe('Null: the key does not expire.'),
  })
  .describe('An API key to create.');

export const RollKey = z
  .strictObject({
    oldExpiresAt: Expiry.describe('When the old key stops working, at the latest.'),
    expiresAt: Expiry.nullable().default(null).describe('When the new key expires; null: it does not expire.'),
  })
  .describe('How a key is replaced.');

export const CreatedKey = z
  .object({
    key: z.string().describe('The whole key. It is answered once and stored nowhere.'),
    record: ManagedKey,
  })
  .describe('A key that was just created.');
export type CreatedKey = z.infer<typeof CreatedKey>;
