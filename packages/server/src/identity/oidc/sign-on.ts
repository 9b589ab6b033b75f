import type { Database } from '../../db/database.ts';
import type { OidcSettings } from '../../platform/oidc-settings.ts';
import type { Provider } from './provider.ts';

export const CALLBACK_PATH = '/oidc/callback';

/** Dependencies shared by the start and the end of a sign-in at the provider. */
export interface SignOn {
  database: Database;
  settings: OidcSettings;
  provider: Provider;
  redirectUri(): Promise<string>;
  /** Logs why the provider failed, which the operator can fix. Throws any other error, which is internal. */
  report(error: unknown): undefined;
  /** Called with each user who signed in. */
  onSignIn(userId: string): Promise<void>;
}
