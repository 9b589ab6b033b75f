import { Command } from 'commander';
import { fields } from '../../terminal/text.ts';
import { runAdmin } from './run-admin.ts';

export function clockCommand(): Command {
  const clock = new Command('clock').description('move the service clock (environment test)');
  clock
    .command('advance <duration>')
    .description('move the clock forward by a duration such as 5m or 30d; irreversible')
    .action((duration, _options, command) =>
      runAdmin(
        command,
        (admin) => admin.clock.advance({ duration }),
        ({ now }) => fields({ now }),
      ),
    );
  return clock;
}
