import { createSecret } from '../../../server/src/platform/secret.ts';
import { loadServiceSecrets, type ServiceSecrets } from '../../../server/src/secrets/service-secrets.ts';
import { serviceKeys } from '../server/service-keys.ts';

/** Resolves to the service keys of servers under test. */
export function loadTestSecrets(databaseUrl: string): Promise<ServiceSecrets> {
  const variables = {
    SORTIE_FINGERPRINT_KEY: createSecret(serviceKeys.SORTIE_FINGERPRINT_KEY),
    SORTIE_VAULT_KEY: createSecret(serviceKeys.SORTIE_VAULT_KEY),
  };
  return loadServiceSecrets({ dataDir: '', databaseUrl, variables });
}
