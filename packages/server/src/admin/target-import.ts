import { MAX_IMPORT_BYTES } from '@sortie/contract';
import { z } from 'zod';
import { OPERATOR } from '../audit/audit.ts';
import {
  findImport,
  type ImportedDescription,
  importDescription,
  removeImport,
  type VaultSource,
} from '../credentials/credentials.ts';
import { requireVerification } from '../targets/targets.ts';
import type { AdminContext } from './context.ts';
import { id, must, parseInput, shortText } from './input.ts';

const Import = z.strictObject({
  id,
  name: shortText('a file name'),
  file: z
    .string(must('the text of an API description'))
    .refine((text) => Buffer.byteLength(text) <= MAX_IMPORT_BYTES, 'must not be larger than 20 MB'),
});
const OneTarget = z.strictObject({ id });

/** Returns the commands that import the API description of a verification. */
export function importCommands({ transact }: AdminContext, vault: VaultSource) {
  const toAnswer = ({ id: _id, ...stored }: ImportedDescription) => stored;

  return {
    /** Stores an API description for the runs of a verification, in place of an earlier one. */
    async import(input: z.input<typeof Import>) {
      const { id: verificationId, name, file: text } = parseInput(Import, input);
      return transact(async (tx) => {
        const { accountId, origin } = await requireVerification(tx, verificationId);
        const given = { accountId, verificationId, actor: OPERATOR, name, text };
        const imported = toAnswer(await importDescription(tx, vault.load(), given));
        return { verificationId, accountId, origin, imported };
      });
    },

    async removeImport(input: z.input<typeof OneTarget>) {
      const { id: verificationId } = parseInput(OneTarget, input);
      return transact(async (tx) => {
        const { accountId, origin } = await requireVerification(tx, verificationId);
        await removeImport(tx, { accountId, verificationId, actor: OPERATOR });
        return { verificationId, accountId, origin, imported: null };
      });
    },

    /** Resolves to the import of a verification without its content; null if there is none. */
    async readImport(input: z.input<typeof OneTarget>) {
      const { id: verificationId } = parseInput(OneTarget, input);
      return transact(async (tx) => {
        const imported = await findImport(tx, verificationId);
        return imported ? toAnswer(imported) : null;
      });
    },
  };
}
