import { Command } from 'commander';
import { exitCodes } from '../api/explain-failure.ts';
import { CommandEnd } from '../terminal/command-error.ts';
import { shown } from '../terminal/text.ts';

export function credentialsCommand(): Command {
  const credentials = new Command('credentials').description('validate test accounts for pentests behind a login');
  credentials
    .command('validate')
    .description('validate a file of test accounts locally; never prints its values')
    .argument('<file>', 'YAML or JSON, - for stdin')
    .option('--json', 'print one JSON document on stdout')
    .action(validate);
  return credentials;
}

async function validate(file: string, { json }: { json?: boolean }): Promise<void> {
  const { checkCredentials } = await import('../settings/credentials-file.ts');
  const { credentials, problems } = checkCredentials(file);
  const accounts = credentials.map(({ name, kind = 'FORM_LOGIN' }) => ({ name, kind }));
  const isValid = problems.length === 0;
  const document = { schema: 'sortie.credentials/1', isValid, accounts, problems };
  const lines = isValid
    ? [`${accounts.length} valid`, ...accounts.map(({ name, kind }) => `  ${name}  ${kind}`)]
    : problems.map(({ field, message }) => `${field}: ${message}`);
  process.stdout.write(json ? `${JSON.stringify(document)}\n` : lines.map((line) => `${shown(line)}\n`).join(''));
  if (!isValid) throw new CommandEnd(exitCodes.usage);
}
