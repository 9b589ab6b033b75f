import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDatabaseFile } from '../../../server/src/db/embedded/database-file.ts';
import { placesOf } from '../../../server/src/db/embedded/places.ts';
import { stopPostmaster } from '../../../server/src/db/embedded/postmaster.ts';

export interface TestFolder {
  /** Removed with everything below it. */
  root: string;
  /** The data folder of a server, not yet created. */
  data: string;
  /** Replaces /var/lib/sortie. */
  system: string;
  /** Removes the folder, and stops a database that still runs in it. */
  remove(): Promise<void>;
}

export async function createTestFolder(data = 'data', prefix = 'sortie-test-', parent = tmpdir()): Promise<TestFolder> {
  const root = await mkdtemp(join(parent, prefix));
  // Temporary folders are accessible to their owner only, but under root the database runs as another user.
  await chmod(root, 0o711);
  return openTestFolder(root, data);
}

export function openTestFolder(root: string, data = 'data'): TestFolder {
  const folder = { root, data: join(root, data), system: join(root, 'system'), remove: () => remove(folder) };
  return folder;
}

async function remove({ root, data }: { root: string; data: string }): Promise<void> {
  const file = await readDatabaseFile(data);
  if (file) {
    const { clusterFolder, socketFolder } = placesOf(data, file);
    await stopPostmaster(clusterFolder);
    await rm(socketFolder, { recursive: true, force: true });
  }
  await rm(root, { recursive: true, force: true, maxRetries: 3 });
}
