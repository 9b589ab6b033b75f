import { z } from 'zod';
import { OPERATOR } from '../audit/audit.ts';
import { readSecretVariables } from '../config/config.ts';
import { mailKeyOf, readMail } from '../mail/mail.ts';
import { loadFingerprintKey } from '../secrets/service-secrets.ts';
import type { AdminContext } from './context.ts';
import { limit, parseInput } from './input.ts';

const List = z.strictObject({ limit: limit.default(20) });

/** Returns the commands `sortie admin mail`. */
export function mailCommands({ transact }: AdminContext, dataDir: string | undefined) {
  return {
    /**
     * Includes the text of waiting mails with their links, so that an operator without a mail server can pass them on.
     */
    async list(input: z.input<typeof List>) {
      const { limit } = parseInput(List, input);
      const key = mailKeyOf(loadFingerprintKey(dataDir, readSecretVariables()));
      return transact(async (tx) => ({ mails: await readMail(tx, { key, limit, actor: OPERATOR }) }));
    },
  };
}
