import { readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import { usageError } from '../terminal/command-error.ts';

/** `-` is what is piped in. */
export function readText(name: string): string {
  try {
    return readFileSync(name === '-' ? 0 : name, 'utf8');
  } catch (error) {
    throw usageError(`${name} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

/** YAML, and so JSON as well. What is wrong is told by its place only: the text may hold passwords. */
export function readYaml(name: string): unknown {
  const document = parseDocument(readText(name), { prettyErrors: false });
  const [wrong] = document.errors;
  if (wrong) throw usageError(`${name} is neither YAML nor JSON: ${wrong.code} at character ${wrong.pos[0]}`);
  try {
    return document.toJS();
  } catch {
    throw usageError(`${name} refers to something that it does not define: put values that begin with * in quotes`);
  }
}
