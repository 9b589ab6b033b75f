import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { type Client, urlOf } from '../server/sandbox.ts';
import { runCli } from './cli.ts';
import { type Expected, expected, type Kind } from './cli-stories.ts';

export const startOf = (client: Client, story: string, depth: string): string[] => {
  const { verificationId } = client;
  return ['--target', urlOf(story), '--verification', verificationId, '--depth', depth, '--new'];
};

interface Scene {
  client: Client;
  /** Contains a folder for each story. */
  home: string;
  env: Record<string, string>;
}

/** Runs the CLI through a story and asserts the expected result. */
export async function playToCli(kind: Kind, story: string, { client, home, env }: Scene): Promise<void> {
  const { exitCode, depth = 'lead', flags = [], says, tells = /^/, cancelled } = expectedOf(kind, story);
  const cwd = path.join(home, kind, story);
  mkdirSync(cwd, { recursive: true });
  const sortie = (...args: string[]) => runCli(args, { cwd, env });
  const commands = {
    pentest: ['gate', '--start', ...startOf(client, story, depth)],
    scan: ['scan', urlOf(story), '--fail-on', 'high'],
  };
  const finished = await sortie(...commands[kind], '--poll', '300ms', '--max-wait', '60s', ...flags);
  assert.equal(finished.exitCode, exitCode, finished.stdout + finished.stderr);
  assert.match(finished.stdout, says);
  assert.match(finished.stderr, tells);
  if (!cancelled) return;
  const [, id = ''] = /^ {2}Resume {2}npx sortie gate (\S+) --max-wait /m.exec(finished.stdout) ?? [];
  assert.deepEqual(await sortie('pentest', 'cancel', id, '--yes'), {
    exitCode: 0,
    stdout: `Run ${id} is CANCELLED.\n`,
    stderr: '',
  });
  assert.match((await sortie('pentest', 'view', id)).stdout, cancelled);
}

const expectedOf = (kind: Kind, story: string): Expected => expected[kind][story] ?? assert.fail(`no ${kind} ${story}`);
