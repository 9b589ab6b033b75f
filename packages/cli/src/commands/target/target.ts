import { Command } from 'commander';
import { listCommand } from './list.ts';
import { viewCommand } from './view.ts';

export function targetCommand(): Command {
  return new Command('target')
    .description('targets that this key may test: their verification ids, rules, and whether API runs are on')
    .addCommand(listCommand())
    .addCommand(viewCommand());
}
