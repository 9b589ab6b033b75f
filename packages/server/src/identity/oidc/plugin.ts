import type { BetterAuthPlugin } from 'better-auth';
import { readPublicUrl } from '../../accounts/accounts.ts';
import { describeError, type Log } from '../../platform/log.ts';
import { finishEndpoint } from './finish.ts';
import { createProvider, ProviderError } from './provider.ts';
import { CALLBACK_PATH, type SignOn } from './sign-on.ts';
import { startEndpoint } from './start.ts';

/** Adds the sign-in with the operator's provider. */
export function signOnPlugin({ log, ...given }: Pick<SignOn, 'database' | 'settings' | 'onSignIn'> & { log: Log }) {
  const signOn: SignOn = {
    ...given,
    provider: createProvider(given.settings),
    redirectUri: async () => `${await readPublicUrl(given.database.queries)}/api/auth${CALLBACK_PATH}`,
    report(error) {
      if (!(error instanceof ProviderError)) throw error;
      log.warn('single sign-on failed', { ...describeError(error), reason: error.message });
    },
  };
  return {
    id: 'sortie-sign-on',
    endpoints: { startSignOn: startEndpoint(signOn), finishSignOn: finishEndpoint(signOn) },
  } satisfies BetterAuthPlugin;
}
