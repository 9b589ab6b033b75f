import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Admin } from '@sortie/server';
import type { Command } from 'commander';
import { usageError } from '../../terminal/command-error.ts';
import { fields } from '../../terminal/text.ts';
import { runAdmin } from './run-admin.ts';

const MAX_BYTES = 20_000_000;

export function addImportCommand(target: Command): void {
  target
    .command('import <verification> [file]')
    .description('store an API description for the pentests of a target; replaces an earlier one')
    .option('--remove', 'delete the stored API description')
    .addHelpText(
      'after',
      '\nThe file is OpenAPI or Swagger (JSON or YAML), a Postman collection, a HAR file, a WSDL document or a GraphQL\n' +
        'schema of at most 20 MB. It is stored encrypted, and deleted after 30 days or when the verification expires.\n',
    )
    .action((id: string, file: string | undefined, { remove }: { remove?: boolean }, command: Command) => {
      if (remove) {
        if (file !== undefined) throw usageError('--remove takes no file');
        return runAdmin(command, (admin) => admin.target.removeImport({ id }), importedText);
      }
      if (file === undefined) throw usageError('name the file to import, or use --remove');
      const given = { id, name: path.basename(file), file: readDescription(file) };
      return runAdmin(command, (admin) => admin.target.import(given), importedText);
    });
}

/** Never quotes the content, which may contain secrets. */
function readDescription(file: string): string {
  try {
    const { size } = statSync(file);
    if (size > MAX_BYTES)
      throw usageError(
        `${file} has ${(size / 1e6).toFixed(1)} MB; an import has at most 20 MB. Remove parts that runs need not test`,
      );
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    if (error instanceof TypeError) throw usageError(`${file} is not UTF-8 text. Save it in that encoding`);
    if (error instanceof Error && 'code' in error) throw usageError(`${file} cannot be read: ${error.message}`);
    throw error;
  }
}

type Imported = Awaited<ReturnType<Admin['target']['view']>>['imported'];

function importedText({ verificationId, origin, imported }: Awaited<ReturnType<Admin['target']['import']>> | Removed) {
  return fields({ verification: verificationId, origin, ...importFields(imported) });
}

type Removed = Awaited<ReturnType<Admin['target']['removeImport']>>;

/** Returns the fields that describe a stored API description, without its content. */
export function importFields(imported: Imported): Record<string, string | number | Date> {
  if (!imported) return { 'API description': 'none imported' };
  const { name, kind, bytes, importedAt, deletionDueAt } = imported;
  return {
    'API description': name,
    format: kind,
    bytes,
    imported: importedAt,
    'deleted at': deletionDueAt,
  };
}
