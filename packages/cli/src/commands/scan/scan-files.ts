import { open, readFile } from 'node:fs/promises';
import { usageError } from '../../terminal/command-error.ts';

/** For its owner alone: pages and cookies of a site may be in it. */
const MODE = 0o600;

export interface FileToSave {
  write(text: string): Promise<void>;
}

/** Now, so that nobody waits for a scan that cannot be kept; what is in the file stays until there is something new. */
export async function openForSaving(name: string): Promise<FileToSave> {
  const write = (flags: 'a' | 'w', text: string) => writeFile(name, flags, text).catch(refuse('written', name));
  await write('a', '');
  return { write: (text) => write('w', text) };
}

async function writeFile(name: string, flags: 'a' | 'w', text: string): Promise<void> {
  await using file = await open(name, flags, MODE);
  // One that was there before may be open to others.
  if ((await file.stat()).isFile()) await file.chmod(MODE);
  await file.writeFile(text);
}

export const readSaved = (name: string): Promise<string> => readFile(name, 'utf8').catch(refuse('read', name));

const refuse = (verb: string, name: string) => (error: unknown) => {
  throw usageError(`${name} cannot be ${verb}: ${error instanceof Error ? error.message : error}`);
};
