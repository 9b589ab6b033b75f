import type { Command } from 'commander';
import { pathOf } from '../command-path.ts';

/** Nothing that a shell would read something else into. */
const PLAIN = /^[\w@%+=:,./-]+$/;

const quoted = (text: string) => (PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** What to type to go on with a run: the same command, with the flags that were given but for the idle ones. */
export function resumeLine(command: Command, id: string, idle: readonly string[] = []): string {
  const flags = command.options.flatMap((option) => {
    const name = option.attributeName();
    if (command.getOptionValueSource(name) !== 'cli' || idle.includes(name)) return [];
    const value = option.required ? [quoted(String(command.getOptionValue(name)))] : [];
    return [option.long, ...value];
  });
  return ['npx', pathOf(command), quoted(id), ...flags].join(' ');
}
