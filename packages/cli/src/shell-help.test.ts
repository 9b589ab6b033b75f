import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { runCli } from '@sortie/testing/cli/cli.ts';
import type { Finished } from '@sortie/testing/cli/commands.ts';

const folder = path.resolve(import.meta.dirname, '../ci');

const run = (program: string, args: readonly string[]): Promise<Finished> =>
  new Promise((done) => {
    execFile(program, args, { timeout: 60_000 }, (error, stdout, stderr) =>
      done({ exitCode: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });

const sortie = (...args: string[]) => runCli(args, {});

describe('sortie completion', () => {
  it('completes commands and flags in bash, as deep as they go', async () => {
    const { stdout: script } = await sortie('completion', 'bash');
    const complete = async (...words: string[]) => {
      const typed = words.map((word) => `'${word}'`).join(' ');
      const line = `COMP_WORDS=(sortie ${typed}); COMP_CWORD=${words.length}; _sortie; echo "\${COMPREPLY[@]}"`;
      const { stdout, stderr } = await run('bash', ['-c', `${script}\n${line}`]);
      assert.equal(stderr, '');
      return stdout.trim().split(' ');
    };
    assert.deepEqual(await complete('pent'), ['pentest']);
    assert.deepEqual(await complete('pentest', 'ca'), ['cancel']);
    assert.deepEqual(await complete('pentest', 'cancel', '--y'), ['--yes']);
    assert.deepEqual(await complete('gate', 'pen_1', '--fail-o'), ['--fail-on']);
    assert.deepEqual(await complete('admin', 'key', 'cr'), ['create']);
  });

  it('knows the same commands for zsh and fish, and no other shell', async () => {
    const [zsh, fish, other] = await Promise.all([
      sortie('completion', 'zsh'),
      sortie('completion', 'fish'),
      sortie('completion', 'tcsh', '--json'),
    ]);
    assert.match(zsh.stdout, /bashcompinit[\s\S]*complete -o default -F _sortie sortie\n$/);
    assert.match(
      fish.stdout,
      /^complete -c sortie -n '__fish_use_subcommand' -a '(?:\w+ )*scan (?:\w+ )*pentest (?:\w+ )*gate /,
    );
    assert.equal(other.exitCode, 2);
  });
});

it('a command that nobody knows ends with 2, however deep it is', async () => {
  const paths = [[], ['pentest'], ['demo'], ['admin'], ['admin', 'run']];
  const ended = await Promise.all(paths.map((names) => sortie(...names, 'xyzzyx')));
  for (const { exitCode, stderr } of ended) {
    assert.equal(exitCode, 2, stderr);
    assert.match(stderr, /^error: unknown command 'xyzzyx'\nSee: npx sortie .*--help\n$/);
  }
});

it('the help of what waits names its exit codes', async () => {
  const commands = [['gate'], ['pentest', 'watch'], ['scan']];
  const helps = await Promise.all(commands.map((names) => sortie(...names, '--help')));
  for (const { stdout } of helps) assert.match(stdout, /^Exit codes:\n {2}0 [\s\S]*^ {2}6 .* --max-wait is over/m);
});

describe('sortie ci print', () => {
  it('prints each file as it is', async () => {
    for (const file of readdirSync(folder)) {
      const name = file === 'Jenkinsfile' ? 'jenkins' : path.parse(file).name;
      const { exitCode, stdout } = await sortie('ci', 'print', name);
      assert.deepEqual([exitCode, stdout], [0, readFileSync(path.join(folder, file), 'utf8')]);
    }
    for (const [names, words] of [
      [['travis'], 'Unknown name travis'],
      [[], 'Name missing'],
    ] as const) {
      const { exitCode, stderr } = await sortie('ci', 'print', ...names);
      assert.equal(exitCode, 2);
      assert.match(stderr, new RegExp(`^error: ${words}; must be one of: .*github`));
    }
  });
});

it('the shared host of the commands adds no warning of its own to stderr', async () => {
  for (let command = 0; command < 12; command += 1) assert.equal((await sortie('--version')).stderr, '');
});
