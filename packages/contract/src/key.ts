import { z } from 'zod';
import { CreditCap } from './credits.ts';
import { permissions, roles } from './permissions.ts';
import { Timestamp } from './timestamp.ts';

export const ApiKey = z
  .object({
    id: z.string().describe('The id in `apiKeyId` of runs and usage records; no secret.'),
    name: z.string().describe('Name that the creator gave the key.'),
    permissions: z
      .array(z.enum(permissions))
      .describe('Effective permissions: those of the key that the current role of its creator has too.'),
    role: z.enum(roles).describe('Current role of the creator in the account.'),
    account: z
      .object({
        id: z.string().describe('Id of the account.'),
        name: z.string().describe('Name of the account.'),
        kind: z.enum(['personal', 'organization']).describe('An organization can have several members.'),
      })
      .describe('The account whose credits and targets the key uses.'),
    environment: z.enum(['live', 'test']).describe('The environment that the key is valid in.'),
    budget: CreditCap.nullable().describe('Monthly credit budget of the key; null when it has none.'),
    expiresAt: Timestamp.nullable().describe('Null when the key does not expire.'),
    createdAt: Timestamp.describe('When the key was created.'),
  })
  .describe('The API key that the request was sent with.')
  .meta({ id: 'ApiKey' });
export type ApiKey = z.infer<typeof ApiKey>;
