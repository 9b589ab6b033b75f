import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartupError } from '../../startup-error.ts';
import { type DatabaseUser, isRoot, runAs } from './run-as.ts';

const OWN_USER = 'sortie-db';
const FALLBACK_USERS = ['postgres', 'nobody'];

/** PostgreSQL refuses to run as root, and an existing cluster can only be run by its owner. */
export async function findDatabaseUser(clusterFolder: string | undefined): Promise<DatabaseUser | undefined> {
  if (!isRoot()) return undefined;
  if (clusterFolder === undefined || !existsSync(clusterFolder)) return chooseUser();
  const { uid, gid } = await stat(clusterFolder);
  if (uid !== 0) return { uid, gid };
  // A cluster that belongs to root was restored from a backup without its owner.
  const user = await chooseUser();
  await runAs(undefined, 'chown', ['-R', `${user.uid}:${user.gid}`, clusterFolder]);
  return user;
}

async function chooseUser(): Promise<DatabaseUser> {
  const user = (await findUser(OWN_USER)) ?? (await createUser()) ?? (await findFallback());
  if (user) return user;
  throw new StartupError(
    `The embedded database cannot run as root, and no user for it could be created. Create one with ` +
      `"useradd --system ${OWN_USER}", or start the server as another user.`,
  );
}

async function findUser(name: string): Promise<DatabaseUser | undefined> {
  const [uid, gid] = await Promise.all([runAs(undefined, 'id', ['-u', name]), runAs(undefined, 'id', ['-g', name])]);
  if (uid.code !== 0 || gid.code !== 0) return undefined;
  return { uid: Number(uid.output), gid: Number(gid.output) };
}

/** A system user, because systemd removes the shared memory of ordinary users when they log out. */
async function createUser(): Promise<DatabaseUser | undefined> {
  const options = ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent'];
  const { code } = await runAs(undefined, 'useradd', [...options, '--shell', '/usr/sbin/nologin', OWN_USER]);
  if (code === null) return undefined;
  // A failed useradd may have met another one that holds the lock of the password file and creates the same user.
  for (let attempt = 0; attempt < (code === 0 ? 1 : 5); attempt++) {
    const user = await findUser(OWN_USER);
    if (user) return user;
    await sleep(100);
  }
  return undefined;
}

async function findFallback(): Promise<DatabaseUser | undefined> {
  for (const name of FALLBACK_USERS) {
    const user = await findUser(name);
    if (user) return user;
  }
  return undefined;
}
