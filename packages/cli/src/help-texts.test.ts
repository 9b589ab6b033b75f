import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UNWANTED } from '@sortie/testing/reports/unwanted-words.ts';
import type { Command } from 'commander';
import { pathOf } from './command-path.ts';
import { createProgram } from './main.ts';

const MAX_DESCRIPTION_LENGTH = 80;

const treeOf = (command: Command): Command[] => [command, ...command.commands.flatMap(treeOf)];

/** All commands with their options, and the short entries that `sortie --help` lists. */
async function allCommands(): Promise<Command[]> {
  const programs = await Promise.all([createProgram(() => true), createProgram(() => false)]);
  return programs.flatMap(treeOf);
}

/** Returns the printed help, including the text after the options, on one line. */
function helpOf(command: Command): string {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) });
  command.outputHelp();
  return help.replace(/\s+/g, ' ');
}

const unwantedIn = (text: string): string[] => UNWANTED.flatMap((word) => text.match(word)?.[0] ?? []);

describe('help texts', () => {
  it('describe every command on one line', async () => {
    const commands = await allCommands();
    assert.ok(commands.length > 80, `only ${commands.length} commands`);
    const wrong = commands.filter((command) => {
      const description = command.description();
      return description === '' || description.length > MAX_DESCRIPTION_LENGTH || description.includes('\n');
    });
    assert.deepEqual(
      wrong.map((command) => `${pathOf(command)}: ${command.description()}`),
      [],
    );
  });

  it('describe every option', async () => {
    const wrong = (await allCommands()).flatMap((command) =>
      command.options
        // Nothing but a default or choices does not say what the option is for.
        .filter(({ description }) => description.replace(/\([^)]*\)/g, '').trim() === '')
        .map(({ flags }) => `${pathOf(command)} ${flags}`),
    );
    assert.deepEqual(wrong, []);
  });

  it('contain no unwanted words', async () => {
    const wrong = (await allCommands()).flatMap((command) =>
      unwantedIn(helpOf(command)).map((word) => `${pathOf(command)}: ${word}`),
    );
    assert.deepEqual(wrong, []);
  });
});
