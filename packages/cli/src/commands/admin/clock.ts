import { Command } from 'commander';
import { fields } from '../../terminal/text.ts';
import { runAdmin } from './run-admin.ts';

export function clockCommand(): Command {
  const clock = new Command('clock').description('the service clock (environment test)');
  clock
    .command('advance <duration>')
    .description('move the service clock forward by 125s, 5m, 24h or 30d; it cannot be moved back')
    .action((duration, _options, command) =>
      runAdmin(
        command,
        (admin) => admin.clock.advance({ duration }),
        ({ now }) => fields({ now }),
      ),
    );
  return clock;
}
