import type { Database } from '../../db/database.ts';
import type { OidcSettings } from '../../platform/oidc-settings.ts';
import type { Provider } from './provider.ts';

export const CALLBACK_PATH = '/oidc/callback';

/** What both ends of a sign-in at the provider share. */
export interface SignOn {
  database: Database;
  settings: OidcSettings;
  provider: Provider;
  redirectUri(): Promise<string>;
  /** Logs why the provider failed, which the operator can mend; throws anything else, which is a fault of ours. */
  report(error: unknown): undefined;
  /** Called with each user who has signed in. */
  onSignIn(userId: string): Promise<void>;
}
