/** The service keys of servers under test, shared by all servers on a database. */
export const serviceKeys = {
  SORTIE_FINGERPRINT_KEY: Buffer.alloc(32, 'fingerprint').toString('base64'),
  SORTIE_VAULT_KEY: Buffer.alloc(32, 'vault').toString('base64'),
};
