import type { Command } from 'commander';

/** Returns the full command name: `sortie pentest watch`. */
export function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
