import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { cliEnvironment, emptyFolder } from '@sortie/testing/cli/cli.ts';
import { type Commands, createCommands } from '@sortie/testing/cli/commands.ts';
import { createStarter, type Starter } from '@sortie/testing/world/pentests.ts';
import { finding, type Script, startRun, waitUntilOver } from '@sortie/testing/world/runs.ts';
import { manyRequests } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
let starter: Starter;
let commands: Commands;
const home = emptyFolder();

before(async () => {
  world = await createWorld({ env: manyRequests, flags: ['--no-demo', '--role', 'all'] });
  starter = await createStarter(world);
  const settings = { XDG_CONFIG_HOME: home, SORTIE_BASE_URL: world.server.baseUrl, SORTIE_API_KEY: starter.apiKey };
  commands = createCommands('', { cwd: home, env: { ...cliEnvironment(), ...settings } });
});
after(async () => {
  await world.end();
  rmSync(home, { recursive: true });
});

const at = (path: string) => ({
  method: 'GET',
  url: `https://shop.example.test${path}`,
  operation: null,
  account: null,
});

/** Names the test of a path. */
const keyOf = (path: string) => Buffer.from(path.padEnd(10)).toString('hex');

/** A run that tested the paths and found these at them. */
async function play(found: Record<string, string>, tested: readonly string[]): Promise<string> {
  const findings = Object.entries(found).map(([name, path]) =>
    finding(name, {
      title: `SQL injection ${name}`,
      coverageKeys: [{ group: 'injection', ...at(path), retest: keyOf(path) }],
    }),
  );
  const requests = tested.map((path) => ({ ...at(path), tested: ['injection'], partlyTested: [], notTested: [] }));
  const retested = tested.map(keyOf);
  const coverage: NonNullable<Script['coverage']> = { groups: [], requests, omittedRequests: 0 };
  const run = await startRun(world, { steps: [{ phase: 'WEB_TEST', findings }], coverage, retested }, { starter });
  assert.equal((await waitUntilOver(world, run)).status, 'COMPLETED');
  return run.id;
}

async function documentOf(...args: string[]) {
  const { stdout } = await commands.run([...args, '--json']);
  return JSON.parse(stdout);
}

const gate = async (id: string, ...flags: string[]) => (await commands.run(['gate', id, ...flags])).exitCode;

describe('runs on one target', () => {
  it('are compared from the engine to the command line', async () => {
    const first = await play({ a: '/a', b: '/b', c: '/c' }, ['/a', '/b', '/c']);
    assert.equal(await gate(first, '--new-only'), 1, 'without an earlier run everything is new');

    const second = await play({ a: '/a' }, ['/a', '/b']);
    assert.equal(await gate(second), 1);
    assert.equal(await gate(second, '--new-only'), 0);
    const { history, fixed, notTested } = await documentOf('pentest', 'view', second);
    assert.deepEqual(history, { new: 0, open: 1, regression: 0, fixed: 1, notTested: 1 });
    assert.deepEqual([fixed[0].fingerprint, fixed[0].pentestId], ['b', first]);
    assert.deepEqual([notTested[0].fingerprint, notTested[0].reason], ['c', 'The run did not reach the request.']);
    const { stdout } = await commands.run(['pentest', 'view', second]);
    assert.match(stdout, /^Compared with earlier runs\n {2}1 open, 1 fixed, 1 not tested\n/m);
    assert.match(stdout, /^Fixed\n {2}HIGH {5}SQL injection b\n/m);
    assert.match(
      stdout,
      /^Not tested again: may still exist\n {2}HIGH {5}SQL injection c\n {11}The run did not reach the request\.\n/m,
    );

    const third = await play({ a: '/a', b: '/b', d: '/a' }, ['/a', '/b', '/c']);
    const { findings } = await documentOf('pentest', 'findings', third);
    const words = Object.fromEntries(
      (findings as { fingerprint: string; history: string }[]).map(({ fingerprint, history: word }) => [
        fingerprint,
        word,
      ]),
    );
    assert.deepEqual(words, { a: 'OPEN', b: 'REGRESSION', d: 'NEW' });
    assert.match((await commands.run(['pentest', 'findings', third])).stdout, / {19}regression, CWE-89/);
    const judged = await documentOf('gate', third, '--new-only');
    assert.deepEqual([judged.exitCode, judged.failing.length], [1, 2]);
    assert.deepEqual(
      judged.takenOut.map(({ fingerprint, by }: { fingerprint: string; by: string }) => [fingerprint, by]),
      [['a', 'history']],
    );
    assert.equal(await gate(third, '--baseline-run', first), 1, 'the first run lacks d');
    assert.equal(await gate(second, '--baseline-run', first), 0);
  });
});
