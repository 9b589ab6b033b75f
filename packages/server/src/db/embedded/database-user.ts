import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { StartupError } from '../../errors/startup-error.ts';
import { isRoot, runAs, type SystemUser } from '../../platform/run-as.ts';
import { ensureSystemUser, findSystemUser } from '../../platform/system-user.ts';

const OWN_USER = 'sortie-db';
const FALLBACK_USERS = ['postgres', 'nobody'];

/** Returns the user to run PostgreSQL as: never root, and the owner of the cluster if it exists. */
export async function findDatabaseUser(clusterFolder: string | undefined): Promise<SystemUser | undefined> {
  if (!isRoot()) return undefined;
  if (clusterFolder === undefined || !existsSync(clusterFolder)) return chooseUser();
  const { uid, gid } = await stat(clusterFolder);
  if (uid !== 0) return { uid, gid };
  // A cluster owned by root was restored from a backup without its owner.
  const user = await chooseUser();
  await runAs(undefined, 'chown', ['-R', `${user.uid}:${user.gid}`, clusterFolder]);
  return user;
}

async function chooseUser(): Promise<SystemUser> {
  const user = (await ensureSystemUser(OWN_USER)) ?? (await findFallback());
  if (user) return user;
  throw new StartupError(
    `The embedded database cannot run as root, and no user for it could be created. Create one with ` +
      `"useradd --system ${OWN_USER}", or start the server as another user.`,
  );
}

async function findFallback(): Promise<SystemUser | undefined> {
  for (const name of FALLBACK_USERS) {
    const user = await findSystemUser(name);
    if (user) return user;
  }
  return undefined;
}
