import { StartupError } from '../errors/startup-error.ts';
import { isRoot, type SystemUser } from '../platform/run-as.ts';
import { ensureSystemUser } from '../platform/system-user.ts';

const OWN_USER = 'sortie-engine';

/**
 * Resolves to a separate user for engines if the server runs as root: engines parse untrusted input, so they run
 * neither as root nor as the user that owns the database's files.
 */
export async function findEngineUser(): Promise<SystemUser | undefined> {
  if (!isRoot()) return undefined;
  const user = await ensureSystemUser(OWN_USER);
  if (user) return user;
  throw new StartupError(
    `The engine must not run as root, and no user for it could be created. Create one with ` +
      `"useradd --system --user-group ${OWN_USER}", or start the server as another user.`,
  );
}
