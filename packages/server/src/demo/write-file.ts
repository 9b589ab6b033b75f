import { open, rename, rm } from 'node:fs/promises';

/**
 * The whole file or none of it, for its owner only. One process at a time writes it, so what lies under the other name
 * is from one that was killed.
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
