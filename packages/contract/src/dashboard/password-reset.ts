import { z } from 'zod';
import { EmailAddress } from './invitations.ts';

export const PasswordResetRequest = z
  .strictObject({ email: EmailAddress.describe('The e-mail address of the user.') })
  .describe('A person who has forgotten the password.');

export const PasswordResetRequested = z
  .object({ requested: z.literal(true).describe('Says nothing about the address.') })
  .describe('Confirms that the request was noted.');
