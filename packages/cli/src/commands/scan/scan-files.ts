import { open, readFile } from 'node:fs/promises';
import { usageError } from '../../terminal/command-error.ts';

/** Readable by its owner only, because the file may contain pages and cookies of a site. */
const MODE = 0o600;

export interface FileToSave {
  write(text: string): Promise<void>;
}

/**
 * Opens the file before the scan, so that an unwritable path fails early. Existing content stays until the result is
 * written.
 */
export async function openForSaving(name: string): Promise<FileToSave> {
  const write = (flags: 'a' | 'w', text: string) => writeFile(name, flags, text).catch(refuse('written', name));
  await write('a', '');
  return { write: (text) => write('w', text) };
}

async function writeFile(name: string, flags: 'a' | 'w', text: string): Promise<void> {
  await using file = await open(name, flags, MODE);
  // A file that existed before may have wider permissions.
  if ((await file.stat()).isFile()) await file.chmod(MODE);
  await file.writeFile(text);
}

export const readSaved = (name: string): Promise<string> => readFile(name, 'utf8').catch(refuse('read', name));

const refuse = (verb: string, name: string) => (error: unknown) => {
  throw usageError(`${name} cannot be ${verb}: ${error instanceof Error ? error.message : error}`);
};
