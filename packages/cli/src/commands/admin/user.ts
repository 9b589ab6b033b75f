import type { Admin } from '@sortie/server';
import { Command } from 'commander';
import { fields, table } from '../../terminal/text.ts';
import { runAdmin } from './run-admin.ts';

export function userCommand(): Command {
  const user = new Command('user').description('manage users, who can be members of accounts');
  user
    .command('create')
    .description('create a user')
    .option('--email <address>', 'e-mail address (required)')
    .option('--name <name>', 'name of the person (default: the e-mail address)')
    .option('--staff <role>', 'staff role: REVIEWER or OPERATOR (default: none)')
    .action((options, command) =>
      runAdmin(
        command,
        (admin) => admin.user.create(options),
        ({ id, email, name, staff }) => fields({ id, email, name, staff: staff ?? 'no' }),
      ),
    );
  user
    .command('list')
    .description('list users, newest first')
    .option('--limit <number>', 'maximum number (default: 50, up to 1000)')
    .action((options, command) =>
      runAdmin(
        command,
        (admin) => admin.user.list(options),
        ({ users }) => listText(users),
      ),
    );
  return user;
}

type User = Awaited<ReturnType<Admin['user']['list']>>['users'][number];

function listText(users: readonly User[]): string {
  const rows = users.map(({ id, email, staff, createdAt, name }) => [id, email, staff ?? 'no', createdAt, name]);
  return table(['id', 'e-mail', 'staff', 'created', 'name'], rows, 'no users yet');
}
