import type { Queries } from '../db/database.ts';
import type { ServiceKey, VaultKeys } from '../secrets/service-secrets.ts';
import { type OpenedCredential, openRun, type RunOwner } from './sealed-run.ts';
import { SealError } from './sealing.ts';
import { selectSealedRun } from './store.ts';

export type LostContent = 'test accounts' | 'API description' | 'imported API description';

/** The vault key that wraps the content is none of this server's; the operator has declared it lost. */
export class VaultKeyLost extends SealError {
  readonly what: LostContent;

  constructor(what: LostContent) {
    super('data key');
    this.name = 'VaultKeyLost';
    this.what = what;
  }
}

/** Resolves with the test accounts in request order; empty if the run has none, or if they are 30 days old. */
export async function openCredentials(
  queries: Queries,
  vaultKeys: VaultKeys,
  owner: RunOwner,
): Promise<OpenedCredential[]> {
  const opened = await openSealed(vaultKeys, 'test accounts', () => selectSealedRun(queries, owner), openRun);
  return opened ?? [];
}

/**
 * Reads a sealed value and opens it with its vault key. Resolves with undefined if there is none. Throws VaultKeyLost if
 * the key is missing.
 */
export async function openSealed<Sealed extends { keyId: string }, Opened>(
  vaultKeys: VaultKeys,
  what: LostContent,
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
    if (sealed.keyId === unknownId) throw new VaultKeyLost(what);
    unknownId = sealed.keyId;
  }
}
