import { existsSync } from 'node:fs';
import { chown, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupError } from '../../errors/startup-error.ts';
import { randomBase62 } from '../../platform/new-id.ts';
import { runAs, type SystemUser } from '../../platform/run-as.ts';
import { toLine } from '../../platform/to-line.ts';
import { syncFolder } from './database-file.ts';
import { type DatabaseFolders, ownFolder } from './places.ts';

interface CreateClusterOptions {
  initdb: string;
  places: DatabaseFolders;
  user: SystemUser | undefined;
  /** False only if the loss of the database in a power failure is acceptable. */
  isDurable: boolean;
}

export const SUPERUSER = 'sortie';
const UNFINISHED = 'initdb-';

/**
 * Runs initdb under a temporary name and renames the result, so that a cluster exists either completely or not at all.
 * Several servers may do so concurrently: the first rename wins, and all of them use the same password.
 */
export async function createClusterIfMissing(options: CreateClusterOptions): Promise<void> {
  const { databaseFolder, clusterFolder } = options.places;
  if (!existsSync(clusterFolder)) {
    const unfinished = join(databaseFolder, UNFINISHED + randomBase62(8));
    const failure = await initialize(unfinished, options);
    if (failure !== undefined && !existsSync(clusterFolder)) {
      await rm(unfinished, { recursive: true, force: true });
      throw new StartupError(
        `The embedded database could not be created: ${toLine(failure)}. Choose another folder with --data, or set DATABASE_URL to a PostgreSQL server.`,
      );
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
    // Bytewise collation is independent of the system's libraries; a library upgrade would otherwise break text
    // indexes.
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
 * Another server may still be initializing one of these folders. Its initialization then fails; it finds the existing
 * cluster and removes its own files.
 */
async function removeUnfinished(databaseFolder: string): Promise<void> {
  const names = (await readdir(databaseFolder)).filter((name) => name.startsWith(UNFINISHED));
  const options = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 };
  await Promise.all(names.map((name) => rm(join(databaseFolder, name), options).catch(() => undefined)));
}
