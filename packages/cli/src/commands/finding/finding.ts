import { Command } from 'commander';
import { viewCommand } from './view.ts';

export function findingCommand(): Command {
  return new Command('finding').description('show a finding of a pentest with its evidence').addCommand(viewCommand());
}
