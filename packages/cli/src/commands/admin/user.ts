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
        ({ staff, ...user }) => fields({ ...shownUser(user), staff: staff ?? 'no', ...shownLink(user) }),
      ),
    );
  user
    .command('link')
    .description('create a link with which a user sets a new password, once')
    .option('--user <user>', 'id or e-mail address (required)')
    .action((options, command) =>
      runAdmin(
        command,
        (admin) => admin.user.link(options),
        (created) => fields({ id: created.id, email: created.email, ...shownLink(created) }),
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

const shownUser = ({ id, email, name }: { id: string; email: string; name: string }) => ({ id, email, name });

const shownLink = ({ link, linkExpiresAt }: { link: string; linkExpiresAt: Date }) => ({
  'set password': link,
  'valid until': linkExpiresAt.toISOString(),
});

type User = Awaited<ReturnType<Admin['user']['list']>>['users'][number];

function listText(users: readonly User[]): string {
  const rows = users.map(({ id, email, staff, createdAt, name }) => [id, email, staff ?? 'no', createdAt, name]);
  return table(['id', 'e-mail', 'staff', 'created', 'name'], rows, 'no users yet');
}
