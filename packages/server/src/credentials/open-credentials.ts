import type { Queries } from '../db/database.ts';
import { SealError } from '../secrets/sealing.ts';
import type { ServiceKey, VaultKeys } from '../secrets/service-secrets.ts';
import { type OpenedCredential, openRun, type RunOwner } from './sealed-run.ts';
import { selectSealedRun } from './store.ts';

export type LostContent = 'test accounts' | 'API description' | 'imported API description';

/** This server does not have the vault key that wraps the content: the key is lost, or only another node has it. */
export class VaultKeyMissing extends SealError {
  readonly what: LostContent;
  readonly keyId: string;

  constructor(what: LostContent, keyId: string) {
    super('data key');
    this.name = 'VaultKeyMissing';
    this.what = what;
    this.keyId = keyId;
  }
}

/** Resolves to the test accounts in request order; empty if the run has none, or if they are 30 days old. */
export async function openCredentials(
  queries: Queries,
  vaultKeys: VaultKeys,
  owner: RunOwner,
): Promise<OpenedCredential[]> {
  const opened = await openSealed(vaultKeys, 'test accounts', () => selectSealedRun(queries, owner), openRun);
  return opened ?? [];
}

/**
 * Reads a sealed value and opens it with its vault key. Resolves to undefined if there is none. Throws VaultKeyMissing
 * if this server does not have the key.
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
    if (sealed.keyId === unknownId) throw new VaultKeyMissing(what, sealed.keyId);
    unknownId = sealed.keyId;
  }
}
