import { readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Credential } from '@sortie/sdk';
import { checkCredentials } from '../../settings/credentials-file.ts';
import { usageError } from '../../terminal/command-error.ts';
import { refuse } from './explain-tool-failure.ts';

/** A folder of files with test accounts. Tools may name the files but must not reveal their contents. */
export interface CredentialsFolder {
  read(doing: string, reference: string): Credential[];
}

export function openCredentialsFolder(name: string): CredentialsFolder {
  const folder = findFolder(name);
  return {
    read(doing, reference) {
      const file = findFile(folder, reference);
      if (file === undefined) throw noSuchFile(doing, folder);
      const accounts = readAccounts(file);
      if (Array.isArray(accounts)) return accounts;
      throw refuse(doing, {
        code: 'VALIDATION_ERROR',
        why: `credentialsRef: ${accounts}`,
        hint: 'Tell the user: "npx sortie credentials validate FILE" lists the problems.',
      });
    },
  };
}

function findFolder(name: string): string {
  try {
    const folder = realpathSync(name);
    if (statSync(folder).isDirectory()) return folder;
  } catch {
    // Reported below.
  }
  throw usageError(`--credentials-dir: ${name} is not a readable folder. Create it, or correct the path`);
}

/** Resolves symbolic links and returns the file only if it lies directly in the folder. */
function findFile(folder: string, reference: string): string | undefined {
  try {
    const file = realpathSync(path.join(folder, reference));
    return path.dirname(file) === folder && statSync(file).isFile() ? file : undefined;
  } catch {
    return undefined;
  }
}

function noSuchFile(doing: string, folder: string) {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return refuse(doing, {
    code: 'VALIDATION_ERROR',
    why: 'credentialsRef is not a file in the folder that the user allowed',
    hint: `Files there: ${names.map((entry) => entry.name).join(', ') || 'none'}.`,
  });
}

/** Returns the accounts, or the location of the problem only: the text of a malformed file may be a password. */
function readAccounts(file: string): Credential[] | string {
  try {
    const { credentials, problems } = checkCredentials(file);
    return problems[0] ? `${problems[0].field} is not valid` : credentials;
  } catch {
    return 'the file is neither YAML nor JSON, or cannot be read';
  }
}
