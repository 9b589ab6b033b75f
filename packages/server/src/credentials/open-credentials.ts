import type { Queries } from '../db/database.ts';
import type { VaultKeys } from '../secrets/service-secrets.ts';
import { type OpenedCredential, openRun, type RunOwner } from './sealed-run.ts';
import { SealError } from './sealing.ts';
import { selectSealedRun } from './store.ts';

/** In the order they were sent. None when the run had none, or when they are 30 days old. */
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
    // Perhaps a rotation was faster, and has wrapped it by another key and forgotten this one since it was read.
    if (run.keyId === unknownId) throw new SealError('data key');
    unknownId = run.keyId;
  }
}
