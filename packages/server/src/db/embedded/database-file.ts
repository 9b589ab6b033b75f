import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { StartupError } from '../../errors/startup-error.ts';
import { randomBase62 } from '../../platform/new-id.ts';

/** The settings of a data folder's database, stored in `database.json`. */
const DatabaseFile = z.object({
  password: z.string(),
  /** Set only if the database cannot be inside the data folder. Otherwise the data folder can be moved as a whole. */
  databaseFolder: z.string().exactOptional(),
  /** Set only if the path of a socket beside the database would be too long. */
  socketFolder: z.string().exactOptional(),
});

export type DatabaseFile = z.output<typeof DatabaseFile>;

function pathIn(dataFolder: string): string {
  return join(dataFolder, 'database.json');
}

/** Resolves to undefined for a new data folder. Throws a `StartupError` if the file is damaged or not readable. */
export async function readDatabaseFile(dataFolder: string): Promise<DatabaseFile | undefined> {
  try {
    return DatabaseFile.parse(JSON.parse(await readFile(pathIn(dataFolder), 'utf8')));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code === 'EACCES')
      throw new StartupError(
        `No permission to read ${pathIn(dataFolder)}: the database belongs to another user. Start the server as that user, or choose another folder with --data.`,
      );
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
    // Omits the cause, because a parser error quotes its input, which may be the password.
    throw new StartupError(
      `${pathIn(dataFolder)} is damaged: it contains the password of the database. Restore it from a backup.`,
    );
  }
}

/**
 * Writes the file unless it exists, and resolves to its content. If several servers start concurrently on a new folder,
 * the first one writes the file and the others use it.
 */
export async function claimDatabaseFile(dataFolder: string, content: DatabaseFile): Promise<DatabaseFile> {
  const path = pathIn(dataFolder);
  const complete = await writeBeside(path, content);
  try {
    await link(complete, path);
    await syncFolder(dataFolder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(complete);
  }
  return (await readDatabaseFile(dataFolder)) ?? content;
}

/** Replaces the file atomically: a crash leaves the old or the new content. */
export async function replaceDatabaseFile(dataFolder: string, content: DatabaseFile): Promise<void> {
  const path = pathIn(dataFolder);
  await rename(await writeBeside(path, content), path);
  await syncFolder(dataFolder);
}

async function writeBeside(path: string, content: DatabaseFile): Promise<string> {
  const complete = `${path}.${randomBase62(8)}`;
  const file = await open(complete, 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(content, undefined, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  return complete;
}

/** Makes the entries of a folder survive a power failure; syncing a file covers only its content. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
