import type { Command } from 'commander';

/** As it is typed: `sortie pentest watch`. */
export function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
