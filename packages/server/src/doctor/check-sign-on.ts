import type { Config } from '../config/config.ts';
import { createProvider, ProviderError } from '../identity/oidc/provider.ts';
import { type Diagnosis, passed } from './diagnosis.ts';

const name = 'single sign-on';

/** Reads the metadata of the single sign-on provider, if one is configured. Does not sign in. */
export async function checkSignOn({ oidc }: Pick<Config, 'oidc'>): Promise<Diagnosis> {
  if (oidc === null) return passed(name, 'SORTIE_OIDC_ISSUER is not set: people sign in with passwords and passkeys');
  try {
    await createProvider(oidc).check();
    return passed(name, `${oidc.issuer}, as "${oidc.label}"`);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const cure =
      'Correct SORTIE_OIDC_ISSUER, or start the provider. People sign in with passwords and passkeys until then.';
    return { name, state: 'warning', detail: `${oidc.issuer}: ${error.message}`, cure };
  }
}
