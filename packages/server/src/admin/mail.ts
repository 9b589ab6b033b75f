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
    /** Shows the text of mails that wait, with their links: without a mail server, the operator passes them on. */
    async list(input: z.input<typeof List>) {
      const { limit } = parseInput(List, input);
      const key = mailKeyOf(loadFingerprintKey(dataDir, readSecretVariables()));
      return transact(async (tx) => ({ mails: await readMail(tx, { key, limit, actor: OPERATOR }) }));
    },
  };
}
