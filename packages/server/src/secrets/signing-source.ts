import { replaceSigningKey, requireSecretsFile, versionOfSecretsFile } from './secrets-file.ts';
import type { ServiceKey } from './service-key.ts';
import { createSigningKey, type SigningKey } from './signing-key.ts';

/** Where the private key that signs capsules comes from. */
export interface SigningSource {
  current(): SigningKey;
  /** Replaces the current key; undefined if the operator provides the key. Callers must hold the vault's lock. */
  rotate: (() => Promise<void>) | undefined;
}

/** Returns the source of a key provided by the operator, which the service cannot rotate. */
export function givenSigningSource(key: Pick<ServiceKey, 'key'>): SigningSource {
  const current = createSigningKey(key);
  return { current: () => current, rotate: undefined };
}

/**
 * Returns the source of a key in the secrets file. A command can rotate the key while the server runs, so a changed
 * file is read again.
 */
export function fileSigningSource(dataDir: string): SigningSource {
  let known: { version: string; key: SigningKey } | undefined;
  return {
    current() {
      const version = versionOfSecretsFile(dataDir);
      if (known?.version !== version) {
        const { signingKey, fingerprintKey } = requireSecretsFile(dataDir);
        known = { version, key: createSigningKey(signingKey ?? fingerprintKey) };
      }
      return known.key;
    },
    rotate: () => replaceSigningKey(dataDir),
  };
}
