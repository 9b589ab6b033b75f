import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { CreditsBalance } from '../packages/contract/src/credits.ts';
import { Pentest } from '../packages/contract/src/pentests.ts';
import { cliEnvironment, emptyFolder } from './support/cli.ts';
import { type Commands, type Finished, startCommands } from './support/commands.ts';
import { createStarter, type Starter, startPentest } from './support/pentests.ts';
import { manyRequests } from './support/starts.ts';
import { createWorld, type World } from './support/world.ts';

let world: World;
let starter: Starter;
let commands: Commands;
let runId: string;
const home = emptyFolder();

before(async () => {
  world = await createWorld({ env: manyRequests });
  starter = await createStarter(world);
  runId = await startPentest(world.server.baseUrl, starter, { ...starter.target, depth: 'STANDARD' });
  commands = startCommands('', {
    ...cliEnvironment(),
    XDG_CONFIG_HOME: home,
    SORTIE_BASE_URL: world.server.baseUrl,
    SORTIE_API_KEY: starter.apiKey,
  });
});
after(async () => {
  await commands.end();
  await world.end();
  rmSync(home, { recursive: true });
});

async function sortie(...args: string[]): Promise<Finished> {
  const finished = await commands.run(args);
  assert.equal(finished.exitCode, 0, finished.stderr + finished.stdout);
  return finished;
}

/** The one document that a command prints. */
async function documentOf(...args: string[]): Promise<Record<string, unknown>> {
  const { stdout, stderr } = await sortie(...args, '--json');
  assert.equal(stderr, '');
  return JSON.parse(stdout);
}

async function errorOf(exitCode: number, ...args: string[]): Promise<Record<string, unknown>> {
  const finished = await commands.run([...args, '--json']);
  assert.equal(finished.exitCode, exitCode, finished.stderr + finished.stdout);
  const { schema, ...error } = JSON.parse(finished.stdout);
  assert.equal(schema, 'sortie.error/1');
  return error;
}

describe('sortie credits', () => {
  it('prints the balance as the API answers it, and for people', async () => {
    const { schema, ...balance } = await documentOf('credits');
    assert.equal(schema, 'sortie.credits/1');
    assert.deepEqual(CreditsBalance.strict().parse(balance), balance);
    assert.deepEqual([balance.available, balance.held], [8_000, 2_000]);
    const { stdout } = await sortie('credits', 'balance');
    assert.match(stdout, /^Available +8000 \(0 of the plan, 8000 purchased\)\nHeld +2000\n/);
  });

  it('prints the history of a run', async () => {
    const { schema, usage } = await documentOf('credits', 'usage', '--run', runId);
    assert.equal(schema, 'sortie.usage/1');
    assert.deepEqual(
      (usage as { type: string }[]).map(({ type }) => type),
      ['HOLD', 'HOLD'],
    );
    const { stdout } = await sortie('credits', 'usage', '--limit', '1');
    assert.equal(stdout.split('\n').length, 3);
  });

  it('refuses a limit that is no number', async () => {
    const error = await errorOf(2, 'credits', 'usage', '--limit', 'many');
    assert.equal(error.code, 'VALIDATION_ERROR');
  });
});

describe('sortie pentest', () => {
  it('shows a run as the API answers it, and for people', async () => {
    const { schema, ...pentest } = await documentOf('pentest', 'view', runId);
    assert.equal(schema, 'sortie.pentest/1');
    assert.deepEqual(Pentest.strict().parse(pentest), pentest);
    const { stdout } = await sortie('pentest', 'view', runId);
    assert.match(stdout, /^Status +QUEUED\n/m);
    assert.match(stdout, /^Credits +2000 held \(RESERVED\)\n/m);
  });

  it('lists runs, and those of a status', async () => {
    const { pentests } = await documentOf('pentest', 'list');
    assert.deepEqual(
      (pentests as { id: string }[]).map(({ id }) => id),
      [runId],
    );
    assert.equal((await sortie('pentest', 'list', '--status', 'failed')).stdout, 'no such pentests\n');
  });

  it('says what to do about a run that is not there', async () => {
    const error = await errorOf(5, 'pentest', 'view', 'pen_nothing');
    assert.deepEqual([error.code, error.statusCode], ['NOT_FOUND', 404]);
    assert.match(String(error.hint), /Check the id/);
    const { exitCode, stdout, stderr } = await commands.run(['pentest', 'view', 'pen_nothing']);
    assert.deepEqual([exitCode, stdout], [5, '']);
    assert.match(stderr, /^error: Run pen_nothing could not be read: .+ \[NOT_FOUND\]\n {2}Check the id: .+\n$/);
  });
});
