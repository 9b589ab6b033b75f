import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { casesOf } from '@sortie/testing/runner/test-size.ts';

const binary = path.resolve(import.meta.dirname, '../bin/sortie.js');

/** Runs a command whose stdout or stderr is closed before it writes. */
async function runUnread(args: readonly string[], unread: 'stdout' | 'stderr') {
  const env = { PATH: process.env.PATH, SORTIE_BASE_URL: 'http://127.0.0.1:9/' };
  const child = spawn(process.execPath, [binary, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  child[unread].destroy();
  let read = '';
  child[unread === 'stdout' ? 'stderr' : 'stdout'].setEncoding('utf8').on('data', (text: string) => {
    read += text;
  });
  const [exitCode] = await once(child, 'close');
  return { exitCode, read };
}

describe('a command whose output is not read to the end', () => {
  const quiet = casesOf(
    [['--help'], ['ci', 'print', 'gitlab']],
    [
      ['--version'],
      ['up', '--help'],
      ['admin', 'run', '--help'],
      ['gate', '--help'],
      ['completion', 'bash'],
      ['config', 'list'],
    ],
  );
  for (const args of quiet) {
    it(`ends with 0 and without a stack: ${args.join(' ')}`, async () => {
      assert.deepEqual(await runUnread(args, 'stdout'), { exitCode: 0, read: '' });
    });
  }

  it('keeps its exit code: no reader makes a failure a success', async () => {
    const [unread, unknown, withoutKey] = await Promise.all([
      runUnread(['whoami', '--json'], 'stdout'),
      runUnread(['xyzzyx'], 'stderr'),
      runUnread(['whoami'], 'stderr'),
    ]);
    assert.deepEqual([unread.exitCode, unknown.exitCode, withoutKey.exitCode], [4, 2, 4]);
    assert.doesNotMatch(unread.read, /EPIPE/);
  });
});

it('a command whose output is lost on a full disk says so and fails', async () => {
  for (const [args, expected] of [
    [['completion', 'bash'], 8],
    [['--help'], 1],
  ] as const) {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [binary, ...args], { stdio: ['ignore', full, 'pipe'] });
    closeSync(full);
    let told = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      told += text;
    });
    const [exitCode] = await once(child, 'close');
    assert.match(told, /^error: The output cannot be written: ENOSPC[^\n]*\n$/);
    assert.equal(exitCode, expected);
  }
});
