import { Command } from 'commander';
import { fields, table } from '../../terminal/text.ts';
import { runAdmin } from './run-admin.ts';

export function optoutCommand(): Command {
  const optout = new Command('optout').description('hosts, addresses and networks whose owners want no scans');
  optout
    .command('add <host>')
    .description('end every scan of this host and those below it, or of names that lead to this address or network')
    .action((host, _options, command) =>
      runAdmin(
        command,
        (admin) => admin.optout.add({ host }),
        ({ host, createdAt }) => fields({ host, since: createdAt }),
      ),
    );
  optout
    .command('remove <host>')
    .description('allow scans of it again')
    .action((host, _options, command) =>
      runAdmin(
        command,
        (admin) => admin.optout.remove({ host }),
        ({ host }) => fields({ removed: host }),
      ),
    );
  optout
    .command('list')
    .description('list them by name')
    .action((_options, command) =>
      runAdmin(
        command,
        (admin) => admin.optout.list(),
        ({ hosts }) =>
          table(
            ['host', 'since'],
            hosts.map(({ host, createdAt }) => [host, createdAt]),
            'nobody has opted out',
          ),
      ),
    );
  return optout;
}
