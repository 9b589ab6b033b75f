import { mkdir } from 'node:fs/promises';
import { type Admin, defaultCatalogue, openAdmin } from '@sortie/server';
import { openCredentials, sealCredentials } from '../../../server/src/credentials/credentials.ts';
import { inTransaction } from '../../../server/src/db/database.ts';
import { newId } from '../../../server/src/platform/new-id.ts';
import { loadServiceSecrets, type VaultKeys } from '../../../server/src/secrets/service-secrets.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { createCreditAccount } from '../world/credit-account.ts';
import { createTestFolder, type TestFolder } from './data-folder.ts';

/** The vault of a server with an embedded database: keys in a data folder, and an operator. */
export interface VaultScene {
  test: TestDatabase;
  folder: TestFolder;
  admin: Admin;
  accountId: string;
  /** Resolves to the keys that a newly started server would load. */
  loadKeys(): Promise<VaultKeys>;
  /** Seals a run with one test account, whose password is `secretOf` the run. */
  seal(keys: VaultKeys, runId?: string): Promise<string>;
  /** Seals in batches, because transactions do not wait forever for a connection. */
  sealMany(keys: VaultKeys, count: number): Promise<string[]>;
  /** Throws unless the run decrypts to what was sealed. */
  assertOpens(keys: VaultKeys, runId: string): Promise<void>;
  /** Resolves to the number of runs that each key wraps. */
  countByKey(): Promise<Record<string, number>>;
  end(): Promise<void>;
}

export const secretOf = (runId: string) => `the password of ${runId}`;

export async function createVaultScene({ connections = 10 } = {}): Promise<VaultScene> {
  const test = await createTestDatabase({ connections });
  const folder = await createTestFolder();
  await mkdir(folder.data);
  const none = { SORTIE_FINGERPRINT_KEY: undefined, SORTIE_VAULT_KEY: undefined };
  const source = { dataDir: folder.data, databaseUrl: undefined, variables: none };
  const loadKeys = async () => (await loadServiceSecrets(source)).vaultKeys;
  await loadKeys();
  const admin = openAdmin({ connection: test.connection, catalogue: defaultCatalogue, dataDir: folder.data });
  const { accountId } = await createCreditAccount(test.database);
  async function seal(keys: VaultKeys, runId = newId('pen')): Promise<string> {
    const credentials = [{ name: 'customer', user: 'customer@example.com', pass: secretOf(runId) }];
    await inTransaction(test.database, (tx) => sealCredentials(tx, keys, { accountId, runId, credentials }));
    return runId;
  }
  return {
    ...{ test, folder, admin, accountId, loadKeys, seal },
    async sealMany(keys, count) {
      const runs: string[] = [];
      while (runs.length < count) {
        const next = Array.from({ length: Math.min(connections, count - runs.length) }, () => seal(keys));
        runs.push(...(await Promise.all(next)));
      }
      return runs;
    },
    async assertOpens(keys, runId) {
      const [opened] = await openCredentials(test.database.queries, keys, { accountId, runId });
      if (opened?.pass.reveal() !== secretOf(runId)) throw new Error(`${runId} did not open to what was sealed`);
    },
    async countByKey() {
      const { rows } = await test.database.pool.query<{ key: string; runs: number }>(
        'select key_id as key, count(*) as runs from credential_key group by key_id',
      );
      return Object.fromEntries(rows.map(({ key, runs }) => [key, runs]));
    },
    async end() {
      await admin.close();
      await test.drop();
      await folder.remove();
    },
  };
}
