import { Command } from 'commander';
import { fields } from '../../text.ts';
import { runAdmin } from './run.ts';

export function faultCommand(): Command {
  const fault = new Command('fault').description('order failures, to see how clients take them (environment test)');
  fault
    .command('handover')
    .description('make starts fail with a 500 after their run was created and before it is in the queue')
    .option('--fail-next <number>', 'how many from now on; 0 takes an order back (required)')
    .action((options, command) =>
      runAdmin(
        command,
        (admin) => admin.fault.handover(options),
        ({ failNext }) => fields({ 'hand-overs that will fail': failNext }),
      ),
    );
  return fault;
}
