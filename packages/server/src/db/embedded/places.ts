import { existsSync } from 'node:fs';
import { chmod, chown, lstat, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { StartupError } from '../../errors/startup-error.ts';
import { randomBase62 } from '../../platform/new-id.ts';
import { isRoot, runAs, type SystemUser } from '../../platform/run-as.ts';
import { claimDatabaseFile, type DatabaseFile, readDatabaseFile, replaceDatabaseFile } from './database-file.ts';

export interface DatabaseFolders {
  /** Owned by the server's user. Contains all other folders, unless a path would be too long. */
  databaseFolder: string;
  /** PostgreSQL's own data directory. */
  clusterFolder: string;
  socketFolder: string;
  logFile: string;
  password: string;
}

interface PlacesOptions {
  dataFolder: string;
  /** Where root stores files that the database's user cannot reach in the data folder. */
  systemFolder: string;
  user: SystemUser | undefined;
}

const PRIVATE = 0o700;
/** The group is that of the database's user, which may traverse but not list the folder. */
const TRAVERSABLE_BY_GROUP = 0o710;
/** For missing parents that are created: others may traverse but not list them. */
const TRAVERSABLE_BY_ALL = 0o711;
export const PORT = 5432;
const SOCKET_NAME = `/.s.PGSQL.${PORT}`;
/** sun_path has 108 bytes on Linux and 104 on macOS, including the terminating NUL. */
const MAX_SOCKET_PATH = process.platform === 'darwin' ? 103 : 107;

/** Derives the paths. Creates nothing. */
export function placesOf(dataFolder: string, file: DatabaseFile): DatabaseFolders {
  const databaseFolder = file.databaseFolder ?? join(dataFolder, 'database');
  return {
    databaseFolder,
    clusterFolder: join(databaseFolder, 'cluster'),
    socketFolder: file.socketFolder ?? join(databaseFolder, 'socket'),
    logFile: join(databaseFolder, 'postgres.log'),
    password: file.password,
  };
}

/** Creates the folders with an owner and permissions that let the database's user use them. */
export async function preparePlaces(options: PlacesOptions): Promise<DatabaseFolders> {
  const { dataFolder, user } = options;
  if (!existsSync(dataFolder)) await ownPassage(dataFolder, user);
  if (user) await allowTraversal(dataFolder, user);
  const claimed = (await readDatabaseFile(dataFolder)) ?? (await claimDatabaseFile(dataFolder, await choose(options)));
  const file = await prepareFolders(claimed, options);
  if (file.databaseFolder !== undefined) await nameOwner(file.databaseFolder, dataFolder);
  if (user && file.socketFolder !== undefined) await nameOwner(file.socketFolder, dataFolder);
  return placesOf(dataFolder, file);
}

async function prepareFolders(file: DatabaseFile, options: PlacesOptions): Promise<DatabaseFile> {
  const { dataFolder, user } = options;
  const { databaseFolder, socketFolder } = placesOf(dataFolder, file);
  await ownPassage(databaseFolder, user);
  if (fitsSocket(socketFolder) && (await ownSocketFolder(socketFolder, user))) return file;
  const moved = { ...file, socketFolder: nameSocketFolder(options) };
  await replaceDatabaseFile(dataFolder, moved);
  await ownSocketFolder(moved.socketFolder, user);
  return moved;
}

/**
 * Records the data folder in a system folder of ours, so that operators can find its owner. Repeated at each start,
 * because a data folder may be moved. Written by rename, because the database's user could have placed a symlink where
 * root would write.
 */
async function nameOwner(folder: string, dataFolder: string): Promise<void> {
  const complete = join(folder, `data-folder.${randomBase62(8)}`);
  await writeFile(complete, `${dataFolder}\n`, { flag: 'wx', mode: 0o600 });
  await rename(complete, join(folder, 'data-folder.txt'));
}

/**
 * Lets the database's user traverse a folder that only root can access, if it is empty or belongs to Sortie. Leaves a
 * folder with other files unchanged.
 */
async function allowTraversal(dataFolder: string, user: SystemUser): Promise<void> {
  const { uid, gid, mode } = await stat(dataFolder);
  const isClosed = uid === 0 && (gid === 0 || gid === user.gid) && (mode & 0o077) === 0;
  if (!isClosed) return;
  const names = await readdir(dataFolder);
  if (names.length === 0 || names.includes('database.json')) await ownPassage(dataFolder, user);
}

function ownPassage(path: string, user: SystemUser | undefined): Promise<void> {
  return user ? ownFolder(path, { uid: 0, gid: user.gid }, TRAVERSABLE_BY_GROUP) : ownFolder(path, undefined, PRIVATE);
}

async function choose(options: PlacesOptions): Promise<DatabaseFile> {
  const { dataFolder, systemFolder, user } = options;
  refuseOrphan(dataFolder);
  const chosen: DatabaseFile = { password: randomBase62(32) };
  if (user && !(await canHoldFolderOf(dataFolder, user))) {
    chosen.databaseFolder = join(systemFolder, randomBase62(12));
  }
  if (!fitsSocket(placesOf(dataFolder, chosen).socketFolder)) chosen.socketFolder = nameSocketFolder(options);
  return chosen;
}

/**
 * Throws if the folder of the database exists without database.json, which Sortie writes first: it is lost, or the
 * folder is not ours.
 */
function refuseOrphan(dataFolder: string): void {
  if (existsSync(join(dataFolder, 'database/cluster'))) {
    throw new StartupError(
      `database.json is missing in ${dataFolder}: it contains the password of the database there. Restore it from a backup.`,
    );
  }
  if (existsSync(join(dataFolder, 'database'))) {
    throw new StartupError(
      `${dataFolder} already contains "database", which Sortie did not create. Choose another folder with --data.`,
    );
  }
}

function fitsSocket(folder: string): boolean {
  return Buffer.byteLength(folder + SOCKET_NAME) <= MAX_SOCKET_PATH;
}

/** Tests by trying, because access lists, closed parents and file systems without owners all matter. */
async function canHoldFolderOf(parent: string, user: SystemUser): Promise<boolean> {
  const trial = join(parent, `trial-${randomBase62(8)}`);
  try {
    await ownFolder(trial, user, PRIVATE);
    const { code } = await runAs(user, '/bin/sh', ['-c', 'cd "$0" && test -O . && test -w .', trial]);
    return code === 0;
  } catch {
    return false;
  } finally {
    await rm(trial, { recursive: true, force: true });
  }
}

/** Creates a folder with this owner and mode, regardless of the umask. Existing parents stay unchanged. */
export async function ownFolder(path: string, owner: SystemUser | undefined, mode: number): Promise<void> {
  await makeFolder(path, mode);
  // Also for an existing folder: another server that starts concurrently may not have set them yet.
  if (isRoot()) {
    await chmod(path, mode);
    if (owner) await chown(path, owner.uid, owner.gid);
  }
}

/** Resolves to false if it already exists. Throws if it cannot be created. */
async function makeFolder(path: string, mode: number): Promise<boolean> {
  const parent = dirname(path);
  if (!existsSync(parent) && (await makeFolder(parent, TRAVERSABLE_BY_ALL)) && isRoot())
    await chmod(parent, TRAVERSABLE_BY_ALL);
  try {
    await mkdir(path, mode);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

/**
 * Resolves to whether the folder belongs to this server. In a shared temporary folder, a reboot may delete it and
 * another user may take its name.
 */
async function ownSocketFolder(path: string, user: SystemUser | undefined): Promise<boolean> {
  await ownFolder(path, user, PRIVATE);
  const found = await lstat(path);
  return found.isDirectory() && (found.mode & 0o077) === 0 && found.uid === (user?.uid ?? process.getuid?.());
}

function nameSocketFolder({ systemFolder, user }: PlacesOptions): string {
  if (user) return join(systemFolder, randomBase62(12));
  const name = `sortie-${randomBase62(12)}`;
  return join(fitsSocket(join(tmpdir(), name)) ? tmpdir() : '/tmp', name);
}
