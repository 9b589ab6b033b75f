import type { Queries } from '../db/database.ts';
import type { VaultKeys } from '../secrets/service-secrets.ts';
import { type OpenedCredential, openRun, type RunOwner } from './sealed-run.ts';
import { SealError } from './sealing.ts';
import { selectSealedRun } from './store.ts';

/** Resolves with the test accounts in request order; empty if the run has none, or if they are 30 days old. */
export async function openCredentials(
  queries: Queries,
  vaultKeys: VaultKeys,
  owner: RunOwner,
): Promise<OpenedCredential[]> {
  let unknownId: string | undefined;
  for (;;) {
    const run = await selectSealedRun(queries, owner);
    if (!run) return [];
    const key = vaultKeys.find(run.keyId);
    if (key) return openRun(key, run);
    // A concurrent rotation may have rewrapped the data key and removed the old vault key after the row was read.
    if (run.keyId === unknownId) throw new SealError('data key');
    unknownId = run.keyId;
  }
}
