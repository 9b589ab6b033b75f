import { Command } from 'commander';
import { replayCommand } from './replay.ts';
import { viewCommand } from './view.ts';

export function findingCommand(): Command {
  return new Command('finding')
    .description('show a finding of a pentest with its evidence, or repeat its proof')
    .addCommand(viewCommand())
    .addCommand(replayCommand());
}
