import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Command } from 'commander';
import { resumeLine } from './resume-line.ts';

/** Of a command that was called with these arguments. */
function lineOf(...args: string[]): string {
  const watch = new Command('watch')
    .argument('<id>')
    .option('--poll <duration>', '', '20s')
    .option('--allow <file>')
    .option('--target <url>')
    .option('--fail-fast')
    .option('--no-color');
  let line = '';
  watch.action((id: string) => {
    line = resumeLine(watch, id, ['target']);
  });
  new Command('sortie').addCommand(watch).parse(['watch', ...args], { from: 'user' });
  return line;
}

describe('the line to go on with', () => {
  it('is the command and the id when no flag was given', () => {
    assert.equal(lineOf('pen_1'), 'npx sortie watch pen_1');
  });

  it('has the flags that were given, but those that do not matter any more', () => {
    const line = lineOf('pen_1', '--no-color', '--fail-fast', '--poll', '2s', '--target', 'https://shop.example/');
    assert.equal(line, 'npx sortie watch pen_1 --poll 2s --fail-fast --no-color');
  });

  it('can be pasted into a shell, whatever the names of files', () => {
    assert.equal(lineOf('pen_1', '--allow', "it's $HOME.yml"), `npx sortie watch pen_1 --allow 'it'\\''s $HOME.yml'`);
  });
});
