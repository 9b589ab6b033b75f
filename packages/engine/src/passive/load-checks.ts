import { globSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isPassiveCheck, type PassiveCheck } from './define-passive-check.ts';

/** Extension of this file and of the checks: `.ts`, or `.js` after compilation. */
const EXTENSION = path.extname(import.meta.filename);

/** Loads all checks from the group folders, sorted by id. Throws if one is invalid. */
export async function loadPassiveChecks(folder = path.join(import.meta.dirname, 'checks')): Promise<PassiveCheck[]> {
  const files = globSync(`*/*${EXTENSION}`, { cwd: folder })
    .filter((file) => !file.endsWith(`.test${EXTENSION}`))
    .sort();
  const checks = new Map<string, PassiveCheck>();
  for (const file of files) {
    const { default: check }: { default?: unknown } = await import(pathToFileURL(path.join(folder, file)).href);
    if (!isPassiveCheck(check)) throw refusal(file, 'its default export must be made with definePassiveCheck');
    const problem = problemOf(check, file);
    if (problem) throw refusal(file, problem);
    if (checks.has(check.id)) throw refusal(file, `there is another check named ${check.id}`);
    checks.set(check.id, check);
  }
  if (checks.size === 0) throw new Error(`There is no check below ${folder}.`);
  for (const { id, suppressedBy = [] } of checks.values()) {
    const unknown = suppressedBy.find((cause) => cause === id || !checks.has(cause));
    if (unknown !== undefined)
      throw refusal(id, `it is suppressed by ${unknown}, and there is no other check of that id`);
  }
  return [...checks.values()].sort((left, right) => (left.id < right.id ? -1 : 1));
}

function problemOf({ id, group, examples }: PassiveCheck, file: string): string | undefined {
  const name = path.basename(file, EXTENSION);
  if (id !== name) return `its id is ${id}, but must be the name of the file`;
  if (!/^[a-z0-9-]{1,100}$/.test(id)) return 'its id may hold small letters, digits and hyphens only';
  if (group !== path.dirname(file)) return `its group is ${group}, but must be the name of the folder`;
  if (!examples.some(({ fails }) => fails > 0)) return 'it has no example that fails';
  if (!examples.some(({ fails }) => fails === 0)) return 'it has no example that passes';
  return undefined;
}

const refusal = (file: string, problem: string) => new Error(`The check in ${file} cannot be used: ${problem}.`);
