import { existsSync } from 'node:fs';
import { chown, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupError } from '../../errors/startup-error.ts';
import { randomBase62 } from '../../platform/new-id.ts';
import { runAs, type SystemUser } from '../../platform/run-as.ts';
import { syncFolder } from './database-file.ts';
import { type DatabaseFolders, ownFolder } from './places.ts';

interface CreateClusterOptions {
  initdb: string;
  places: DatabaseFolders;
  user: SystemUser | undefined;
  /** False only where losing the database in a power failure does not matter. */
  isDurable: boolean;
}

export const SUPERUSER = 'sortie';
const UNFINISHED = 'initdb-';

/**
 * initdb works under another name and the result is renamed, so that a cluster is there completely or not at all.
 * Several servers may do this at once: the first rename counts, all of them use the same password.
 */
export async function createClusterIfMissing(options: CreateClusterOptions): Promise<void> {
  const { databaseFolder, clusterFolder } = options.places;
  if (!existsSync(clusterFolder)) {
    const unfinished = join(databaseFolder, UNFINISHED + randomBase62(8));
    const failure = await initialize(unfinished, options);
    if (failure !== undefined && !existsSync(clusterFolder)) {
      await rm(unfinished, { recursive: true, force: true });
      throw new StartupError(`The embedded database could not be created: ${failure}`);
    }
  }
  await removeUnfinished(databaseFolder);
}

async function initialize(unfinished: string, options: CreateClusterOptions): Promise<string | undefined> {
  const { initdb, places, user, isDurable } = options;
  await ownFolder(unfinished, user, 0o700);
  const passwordFile = join(unfinished, 'password');
  await writeFile(passwordFile, places.password, { mode: 0o600 });
  if (user) await chown(passwordFile, user.uid, user.gid);
  const { code, output } = await runAs(user, initdb, [
    `--pgdata=${join(unfinished, 'cluster')}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // Bytewise order does not change with the system's libraries, which would break indexes on text.
    '--locale=C',
    ...(isDurable ? [] : ['--no-sync']),
  ]);
  if (code !== 0) return output;
  return adopt(join(unfinished, 'cluster'), places);
}

async function adopt(
  finished: string,
  { databaseFolder, clusterFolder }: DatabaseFolders,
): Promise<string | undefined> {
  try {
    await rename(finished, clusterFolder);
    await syncFolder(databaseFolder);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * Whoever is still busy with one of them finds that the cluster exists when its work fails. Until then it may go on
 * writing where we remove; what is left it removes itself.
 */
async function removeUnfinished(databaseFolder: string): Promise<void> {
  const names = (await readdir(databaseFolder)).filter((name) => name.startsWith(UNFINISHED));
  const options = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 };
  await Promise.all(names.map((name) => rm(join(databaseFolder, name), options).catch(() => undefined)));
}
