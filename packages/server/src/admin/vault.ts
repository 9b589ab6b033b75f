import { z } from 'zod';
import { requireAccount } from '../accounts/accounts.ts';
import { OPERATOR } from '../audit/audit.ts';
import { readSecretVariables } from '../config/config.ts';
import {
  announceForgetting,
  beginRotation,
  forgetCredentials,
  forgetKeys,
  listReceipts,
  readVaultStatus,
  rewrapBatch,
  type VaultSource,
} from '../credentials/credentials.ts';
import { AppError } from '../errors/app-error.ts';
import { addVaultKey, loadVaultKeys, removeVaultKeys, type VaultKeys } from '../secrets/service-secrets.ts';
import type { AdminContext } from './context.ts';
import { id, limit, parseInput } from './input.ts';

/**
 * Returns the vault keys of the server on the same database: those of its data folder, or with DATABASE_URL those of
 * the environment variables.
 */
export function createVaultSource(dataDir: string | undefined): VaultSource {
  const load = () => loadVaultKeys(dataDir, readSecretVariables());
  if (dataDir === undefined) return { load, file: undefined };
  const addKey = async () => void (await addVaultKey(dataDir));
  return { load, file: { addKey, removeKeys: (ids) => removeVaultKeys(dataDir, ids) } };
}

const Status = z.strictObject({});
const Rotate = z.strictObject({ forgetOld: z.boolean().default(false) });
const Forget = z.strictObject({ run: id });
const Receipts = z.strictObject({ account: id.optional(), limit: limit.default(50) });

const actor = OPERATOR;

/** Returns the commands `sortie admin vault`. */
export function vaultCommands({ transact }: AdminContext, source: VaultSource) {
  return {
    async status(input: z.input<typeof Status>) {
      parseInput(Status, input);
      return transact((tx) => readVaultStatus(tx, source.load()));
    },

    /**
     * Rotates the vault key in many transactions. The vault is consistent after each of them, and a repeated call
     * continues after an interruption.
     */
    async rotate(input: z.input<typeof Rotate>) {
      const { forgetOld } = parseInput(Rotate, input);
      if (forgetOld && !source.file) throw notOurs();
      const { keys, isNew } = await transact((tx) => beginRotation(tx, source, { makesKey: !forgetOld, actor }));
      const { rewrapped, damaged } = await rewrapAll(keys);
      const forgotten = forgetOld ? await forgetUnused() : [];
      const status = await transact((tx) => readVaultStatus(tx, source.load()));
      const idsOf = (wanted: (key: (typeof status.keys)[number]) => boolean) =>
        status.keys.filter(wanted).map((key) => key.id);
      return {
        current: keys.current.id,
        isNew,
        rewrapped,
        damaged,
        unused: idsOf(({ state, runs }) => state === 'OLD' && runs === 0),
        missing: idsOf(({ state }) => state === 'MISSING'),
        forgotten,
      };
    },

    async forget(input: z.input<typeof Forget>) {
      const { run } = parseInput(Forget, input);
      return transact((tx) => forgetCredentials(tx, run, actor));
    },

    async receipts(input: z.input<typeof Receipts>) {
      const { account, limit } = parseInput(Receipts, input);
      return transact(async (tx) => {
        if (account !== undefined) await requireAccount(tx, account);
        return { receipts: await listReceipts(tx, { accountId: account, limit }) };
      });
    },
  };

  async function rewrapAll(keys: VaultKeys) {
    const total = { rewrapped: 0, damaged: [] as string[] };
    for (let after: string | undefined = ''; after !== undefined; ) {
      const from: string = after;
      const batch = await transact((tx) => rewrapBatch(tx, keys, { after: from, actor }));
      total.rewrapped += batch.rewrapped;
      total.damaged.push(...batch.damaged);
      after = batch.last;
    }
    return total;
  }

  async function forgetUnused(): Promise<string[]> {
    const announced = await transact((tx) => announceForgetting(tx, source, actor));
    if (announced.length > 0) await transact((tx) => forgetKeys(tx, source, announced));
    return announced;
  }
}

function notOurs(): AppError {
  return new AppError('VALIDATION_ERROR', {
    field: 'forgetOld',
    message:
      'forgetOld applies only to keys in a data folder. With DATABASE_URL, remove them from SORTIE_VAULT_OLD_KEYS.',
  });
}
