import { Command } from 'commander';
import { listCommand } from './list.ts';
import { viewCommand } from './view.ts';

export function targetCommand(): Command {
  return new Command('target')
    .description('show the targets that this API key can test')
    .addCommand(listCommand())
    .addCommand(viewCommand());
}
