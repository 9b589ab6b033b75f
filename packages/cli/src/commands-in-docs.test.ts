import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import type { Command } from 'commander';
import { pathOf } from './command-path.ts';
import { createProgram } from './main.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const pages = globSync(['*.md', 'docs/**/*.md', 'bench/*.md', 'packages/*/README.md', 'packages/*/src/**/README.md'], {
  cwd: root,
}).filter((page) => page !== 'CHANGELOG.md');

/** Returns the command lines in code blocks and between backticks, each without the word `sortie`. */
function commandLinesIn(text: string): string[] {
  const joined = text.replace(/\\\n\s*/g, ' ');
  const spans = [...joined.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  const blocks = [...joined.matchAll(/^ *```[a-z]*\n(.*?)^ *```/gms)].flatMap(([, block = '']) => block.split('\n'));
  return [...spans, ...blocks].flatMap((line) => /(?:^|\s)sortie ([a-z-].*)$/.exec(line)?.[1] ?? []);
}

const parentsOf = ({ parent }: Command): Command[] => (parent ? [parent, ...parentsOf(parent)] : []);

/** Returns what a command line names that does not exist, if anything. */
function unknownIn(line: string, program: Command): string | undefined {
  const words = line.replace(/ [|>&#].*$/, '').split(/\s+/);
  let command = program;
  for (const word of words) {
    if (command.commands.length === 0 || !/^[a-z][a-z-]*$/.test(word)) break;
    const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    // A command with an action of its own, such as `report`, may take the word as its argument.
    if (!next) return command.registeredArguments.length > 0 ? undefined : `${pathOf(command)} ${word}`;
    command = next;
  }
  // Those of subcommands as well: one of them may be the default.
  const mayDeclare = [...parentsOf(command), command, ...command.commands];
  const flags = new Set([
    '--help',
    '--version',
    ...mayDeclare.flatMap(({ options }) => options.map(({ long }) => long)),
  ]);
  const unknown = words.map((word) => /^--[a-z-]+/.exec(word)?.[0]).find((flag) => flag && !flags.has(flag));
  return unknown && `${pathOf(command)} ${unknown}`;
}

describe('commands in the docs', () => {
  it('exist, with their options', async () => {
    const program = await createProgram(() => true);
    const lines = pages.flatMap((page) =>
      commandLinesIn(readFileSync(path.join(root, page), 'utf8')).map((line) => ({ page, line })),
    );
    assert.ok(lines.length > 100, `only ${lines.length} command lines`);
    const wrong = lines.flatMap(({ page, line }) => {
      const unknown = unknownIn(line, program);
      return unknown ? [`${page}: ${unknown}`] : [];
    });
    assert.deepEqual(wrong, []);
  });

  it('are recognised as unknown if they do not exist', async () => {
    const program = await createProgram(() => true);
    assert.equal(unknownIn('admin run trcae pen_1', program), 'sortie admin run trcae');
    assert.equal(unknownIn('gate --start --tarket https://example.com', program), 'sortie gate --tarket');
  });
});
