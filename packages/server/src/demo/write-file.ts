import { open, rename, rm } from 'node:fs/promises';

/**
 * Writes a file atomically, readable by its owner only. Only one process writes at a time, so an existing temporary
 * file is left over from a killed one.
 */
export async function writeWholeFile(file: string, value: unknown): Promise<void> {
  const complete = `${file}.new`;
  await rm(complete, { force: true });
  const handle = await open(complete, 'wx', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(value, undefined, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(complete, file);
}
