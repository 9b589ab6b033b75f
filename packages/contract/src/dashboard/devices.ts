import { z } from 'zod';
import { permissions } from '../permissions.ts';
import { Timestamp } from '../timestamp.ts';
import { Expiry, ShortText } from './words.ts';

export const NewDeviceLogin = z
  .strictObject({
    name: ShortText.describe('What the program says of itself, shown to the person: `sortie on laptop`.'),
  })
  .describe('A program that asks for an API key.');

export const StartedDeviceLogin = z
  .object({
    deviceCode: z.string().describe('Secret of the program, to fetch the key with.'),
    userCode: z.string().describe('The code that the person types at `verificationUrl`: `WDJB-MJHT`.'),
    verificationUrl: z.string().describe('The page on which the person decides.'),
    expiresInSeconds: z.int().describe('How long the person may take.'),
    intervalSeconds: z.int().describe('How long the program waits between two requests for the outcome.'),
  })
  .describe('What a program shows to the person.');
export type StartedDeviceLogin = z.infer<typeof StartedDeviceLogin>;

export const DeviceCode = z
  .strictObject({
    deviceCode: z.string().max(200, 'must not be longer than 200 characters').describe('From the start.'),
  })
  .describe('A program that waits for the decision.');

export const DeviceLoginOutcome = z
  .object({
    state: z
      .enum(['PENDING', 'SLOW_DOWN', 'APPROVED', 'DENIED', 'EXPIRED'])
      .describe('`SLOW_DOWN`: asked too soon, ask later; `EXPIRED`: too late, or the key was fetched already.'),
    key: z.string().nullable().describe('The API key, once; null unless `APPROVED`.'),
    account: z
      .object({ id: z.string().describe('Id of the account.'), name: z.string().describe('Name of the account.') })
      .nullable()
      .describe('The account of the key; null unless `APPROVED`.'),
  })
  .describe('What the person decided, if anything yet.');
export type DeviceLoginOutcome = z.infer<typeof DeviceLoginOutcome>;

const userCode = z
  .string()
  .max(40, 'must not be longer than 40 characters')
  .describe('The code that the program shows, in any case, with or without the dash.');

export const UserCode = z.strictObject({ userCode }).describe('A program, by its code.');

export const PendingDeviceLogin = z
  .object({
    name: z.string().describe('What the program says of itself.'),
    address: z.string().describe('The IP address that it asks from.'),
    createdAt: Timestamp.describe('When it asked.'),
    expiresAt: Timestamp.describe('How long the person may decide.'),
  })
  .describe('A program that waits for the decision of a person.')
  .meta({ id: 'PendingDeviceLogin' });
export type PendingDeviceLogin = z.infer<typeof PendingDeviceLogin>;

export const DeviceApproval = z
  .strictObject({
    userCode,
    permissions: z
      .array(z.enum(permissions))
      .min(1, 'must have at least one permission')
      .describe('What the key may do: at most what the own role permits.'),
    expiresAt: Expiry.nullable().default(null).describe('When the key expires; null: it does not expire.'),
  })
  .describe('What a program gets.');

export const Decided = z
  .object({ decided: z.literal(true).describe('The program learns of it within seconds.') })
  .describe('Confirms the decision.');

export const PresentedKey = z
  .strictObject({ key: z.string().max(200, 'must not be longer than 200 characters').describe('The whole API key.') })
  .describe('An API key that its holder ends.');

export const RevokedKey = z
  .object({ revoked: z.literal(true).describe('It works no more, at the latest two seconds later.') })
  .describe('Confirms that the key is revoked.');
