import { Command } from 'commander';
import { fields, table } from '../../terminal/text.ts';
import { runAdmin } from './run-admin.ts';

export function optoutCommand(): Command {
  const optout = new Command('optout').description('manage hosts and networks excluded from all scans');
  optout
    .command('add <host>')
    .description('block scans of a host with its subdomains, or of an address or network')
    .action((host, _options, command) =>
      runAdmin(
        command,
        (admin) => admin.optout.add({ host }),
        ({ host, createdAt }) => fields({ host, since: createdAt }),
      ),
    );
  optout
    .command('remove <host>')
    .description('allow scans of a host, address or network again')
    .action((host, _options, command) =>
      runAdmin(
        command,
        (admin) => admin.optout.remove({ host }),
        ({ host }) => fields({ removed: host }),
      ),
    );
  optout
    .command('list')
    .description('list opt-outs by name')
    .action((_options, command) =>
      runAdmin(
        command,
        (admin) => admin.optout.list(),
        ({ hosts }) =>
          table(
            ['host', 'since'],
            hosts.map(({ host, createdAt }) => [host, createdAt]),
            'no opt-outs',
          ),
      ),
    );
  return optout;
}
