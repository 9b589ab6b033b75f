import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A change in one place of the product that makes it incorrect. */
export interface Bug {
  name: string;
  /** Relative to the sources of the server. */
  file: string;
  find: string;
  replace: string;
}

const repository = join(import.meta.dirname, '../../../../..');
const sourceFolder = join(repository, 'packages/server/src');
/**
 * Inside the repository, where package imports resolve, but not below node_modules, where Node does not strip types.
 */
const workshop = join(repository, '.sortie', `planted-bugs-${process.pid}`);

/** Resolves to a folder with a copy of the server's sources. */
export async function plantBug(bug: Bug | undefined): Promise<string> {
  await mkdir(workshop, { recursive: true });
  const folder = await mkdtemp(join(workshop, 'copy-'));
  await cp(sourceFolder, folder, { recursive: true, filter: (file) => !file.endsWith('.test.ts') });
  if (!bug) return folder;
  const file = join(folder, bug.file);
  await writeFile(file, replaceOnce(await readFile(file, 'utf8'), bug));
  return folder;
}

function replaceOnce(text: string, { name, file, find, replace }: Bug): string {
  const matches = text.split(find).length - 1;
  if (matches !== 1) throw new Error(`"${name}" fits in ${matches} places of ${file}; a bug is planted in exactly one`);
  return text.replace(find, () => replace);
}

export function removePlantedBugs(): Promise<void> {
  return rm(workshop, { recursive: true, force: true });
}
