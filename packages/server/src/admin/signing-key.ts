import { z } from 'zod';
import { OPERATOR } from '../audit/audit.ts';
import type { SigningSource } from '../secrets/signing-source.ts';
import { readSigningKeys, revokeSigningKey, rotateSigningKey } from '../signing/signing.ts';
import type { AdminContext } from './context.ts';
import { id, parseInput } from './input.ts';

const Nothing = z.strictObject({});
const Revoke = z.strictObject({ key: id });

const actor = OPERATOR;

/**
 * Returns the commands `sortie admin signing-key`. Each loads the key itself, so that other commands work without it.
 */
export function signingKeyCommands({ transact }: AdminContext, load: () => SigningSource) {
  return {
    async list(input: z.input<typeof Nothing>) {
      parseInput(Nothing, input);
      return transact(async (tx) => ({ keys: await readSigningKeys(tx, load()) }));
    },

    async rotate(input: z.input<typeof Nothing>) {
      parseInput(Nothing, input);
      return transact((tx) => rotateSigningKey(tx, load(), actor));
    },

    async revoke(input: z.input<typeof Revoke>) {
      const { key } = parseInput(Revoke, input);
      await transact((tx) => revokeSigningKey(tx, { source: load(), id: key, actor }));
      return { revoked: key };
    },
  };
}
