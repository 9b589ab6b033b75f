import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { builtFolder, packageFolder, SOURCES_FILE, sourcePlaces } from './places.ts';

/** A packed installation has no sources to build from. */
export const hasSources = (): boolean => existsSync(path.join(packageFolder, 'src/app/main.tsx'));

/** Returns a digest of everything that the build reads, whatever the times of the files are. */
export async function digestSources(): Promise<string> {
  const files = (await Promise.all(sourcePlaces.map(listFiles))).flat().sort();
  const hash = createHash('sha256');
  for (const file of files) {
    hash.update(`${path.relative(packageFolder, file)}\0`);
    hash.update(await readFile(file));
  }
  return hash.digest('hex');
}

/** The digest of the sources that the built files were made from. */
export async function builtFrom(): Promise<string | undefined> {
  return readFile(path.join(builtFolder, SOURCES_FILE), 'utf8').catch(() => undefined);
}

async function listFiles(place: string): Promise<string[]> {
  if ((await stat(place)).isFile()) return [place];
  const files: string[] = [];
  for await (const entry of glob('**/*', { cwd: place, withFileTypes: true })) {
    if (entry.isFile() && !/\.test\.tsx?$/.test(entry.name)) files.push(path.join(entry.parentPath, entry.name));
  }
  return files;
}
