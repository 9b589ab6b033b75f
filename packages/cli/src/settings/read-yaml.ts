import { readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import { usageError } from '../terminal/command-error.ts';

/** Returns the text of a file; `-` means stdin. */
export function readText(name: string): string {
  try {
    return readFileSync(name === '-' ? 0 : name, 'utf8');
  } catch (error) {
    throw usageError(`${name} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

/** Parses YAML, which includes JSON. Errors give only the position, because the text may contain passwords. */
export function readYaml(name: string): unknown {
  const document = parseDocument(readText(name), { prettyErrors: false });
  const [wrong] = document.errors;
  if (wrong) throw usageError(`${name} is neither YAML nor JSON: ${wrong.code} at character ${wrong.pos[0]}`);
  try {
    return document.toJS();
  } catch {
    throw usageError(`${name} uses an undefined YAML alias: put values that begin with * in quotes`);
  }
}
