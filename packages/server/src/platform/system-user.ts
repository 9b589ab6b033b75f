import { setTimeout as sleep } from 'node:timers/promises';
import { runAs, type SystemUser } from './run-as.ts';

/** Resolves to the system user of this name, created if necessary; undefined if it cannot be created. */
export async function ensureSystemUser(name: string): Promise<SystemUser | undefined> {
  return (await findSystemUser(name)) ?? createUser(name);
}

/** Resolves to the ids of a system user; undefined if there is none. */
export async function findSystemUser(name: string): Promise<SystemUser | undefined> {
  const [uid, gid] = await Promise.all([runAs(undefined, 'id', ['-u', name]), runAs(undefined, 'id', ['-g', name])]);
  if (![uid, gid].every(({ code, output }) => code === 0 && /^\d+$/.test(output))) return undefined;
  return { uid: Number(uid.output), gid: Number(gid.output) };
}

/** Creates a system user: systemd removes the shared memory of ordinary users at logout, which crashes a database. */
async function createUser(name: string): Promise<SystemUser | undefined> {
  const options = ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent'];
  const { code } = await runAs(undefined, 'useradd', [...options, '--shell', '/usr/sbin/nologin', name]);
  if (code === null) return undefined;
  // useradd may have failed because another process holds the lock of the password file and creates the same user.
  for (let attempt = 0; attempt < (code === 0 ? 1 : 5); attempt++) {
    const user = await findSystemUser(name);
    if (user) return user;
    await sleep(100);
  }
  return undefined;
}
