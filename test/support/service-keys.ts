/** The service's own keys, for servers under test: all that share a database share them. */
export const serviceKeys = {
  SORTIE_FINGERPRINT_KEY: Buffer.alloc(32, 'fingerprint').toString('base64'),
  SORTIE_VAULT_KEY: Buffer.alloc(32, 'vault').toString('base64'),
};
