import type { Queries } from '../db/database.ts';
import type { ServiceKey, VaultKeys } from '../secrets/service-secrets.ts';
import { type OpenedCredential, openRun, type RunOwner } from './sealed-run.ts';
import { SealError } from './sealing.ts';
import { selectSealedRun } from './store.ts';

/** Resolves with the test accounts in request order; empty if the run has none, or if they are 30 days old. */
export async function openCredentials(
  queries: Queries,
  vaultKeys: VaultKeys,
  owner: RunOwner,
): Promise<OpenedCredential[]> {
  const opened = await openSealed(vaultKeys, () => selectSealedRun(queries, owner), openRun);
  return opened ?? [];
}

/** Reads a sealed value and opens it with its vault key. Resolves with undefined if there is none. */
export async function openSealed<Sealed extends { keyId: string }, Opened>(
  vaultKeys: VaultKeys,
  select: () => Promise<Sealed | undefined>,
  open: (key: ServiceKey, sealed: Sealed) => Opened,
): Promise<Opened | undefined> {
  let unknownId: string | undefined;
  for (;;) {
    const sealed = await select();
    if (!sealed) return undefined;
    const key = vaultKeys.find(sealed.keyId);
    if (key) return open(key, sealed);
    // A concurrent rotation may have rewrapped the data key and removed the old vault key after the row was read.
    if (sealed.keyId === unknownId) throw new SealError('data key');
    unknownId = sealed.keyId;
  }
}
