import { readGivenFile } from '../errors/read-given-file.ts';
import { StartupError } from '../errors/startup-error.ts';
import { createSecret, type Secret } from './secret.ts';

interface Given {
  /** Name of the variable with the secret itself; the variable with the path of a file has the suffix `_FILE`. */
  name: string;
  value: Secret | undefined;
  file: string | undefined;
}

/**
 * Reads a secret from a variable or, as container platforms provide it, from a file. Returns undefined if neither is
 * set.
 */
export function readGivenSecret({ name, value, file }: Given): Secret | undefined {
  if (file === undefined) return value;
  if (value !== undefined) throw new StartupError(`Both ${name} and ${name}_FILE are set. Unset one of them.`);
  const text = readGivenFile(file, `${name}_FILE`).toString().trimEnd();
  if (text === '') throw new StartupError(`${file} is empty. Put the secret into the file of ${name}_FILE.`);
  return createSecret(text);
}
