import { API_DESCRIPTION_RULE, apiDescriptionKind, MAX_API_DESCRIPTION_BYTES } from '@sortie/contract';
import { usageError } from '../terminal/command-error.ts';
import { readText } from './read-yaml.ts';

/** Reads an API description for a start; `-` means stdin. Checks size and format as the service does. */
export function readApiDescription(name: string): string {
  const text = readText(name);
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_API_DESCRIPTION_BYTES) {
    throw usageError(
      `${name} has ${Math.ceil(bytes / 1024)} KiB, and a start takes at most 128 KiB; an operator can store a larger file ` +
        'with "npx sortie admin target import VERIFICATION FILE"',
    );
  }
  if (apiDescriptionKind(text) === undefined) throw usageError(`${name} ${API_DESCRIPTION_RULE}`);
  return text;
}
