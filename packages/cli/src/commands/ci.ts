import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import { usageError } from '../terminal/command-error.ts';

const folder = path.resolve(import.meta.dirname, '../../ci');

/** Each file is named after its CI system. */
const nameOf = (file: string) => path.parse(file).name.toLowerCase().replace(/file$/, '');

export function ciCommand(): Command {
  const ci = new Command('ci').description('print pipeline files for GitHub Actions, GitLab CI and others');
  ci.command('print')
    .description('print a pipeline file that gates on a pentest, for you to adapt')
    .usage('[options] <name>')
    .argument('[name]', `one of: ${readdirSync(folder).map(nameOf).join(', ')}`)
    .action(print);
  return ci;
}

function print(name: string | undefined): void {
  const files = readdirSync(folder);
  const file = files.find((one) => nameOf(one) === name);
  const missing = name === undefined ? 'Name missing' : `Unknown name ${name}`;
  if (file === undefined) throw usageError(`${missing}; must be one of: ${files.map(nameOf).join(', ')}`);
  process.stdout.write(readFileSync(path.join(folder, file)));
}
