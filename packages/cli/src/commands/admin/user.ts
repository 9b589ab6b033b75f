import { Command } from 'commander';
import { fields } from '../../text.ts';
import { runAdmin } from './run.ts';

export function userCommand(): Command {
  const user = new Command('user').description('people who can be members of accounts');
  user
    .command('create')
    .description('create a user')
    .option('--email <address>', 'e-mail address (required)')
    .option('--name <name>', 'name of the person (default: the e-mail address)')
    .action((options, command) =>
      runAdmin(
        command,
        (admin) => admin.user.create(options),
        ({ id, email, name }) => fields({ id, email, name }),
      ),
    );
  return user;
}
