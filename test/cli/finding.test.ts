import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { cliEnvironment, emptyFolder } from '@sortie/testing/cli/cli.ts';
import { type Commands, createCommands } from '@sortie/testing/cli/commands.ts';
import { createStarter, findingOf, type Starter, startPentest } from '@sortie/testing/world/pentests.ts';
import { manyRequests } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
let starter: Starter;
let commands: Commands;
const runs = { released: '', hidden: '' };
const home = emptyFolder();

const finding = { title: 'SQL injection', severity: 'HIGH', confidence: 'CONFIRMED', fingerprint: 'print' } as const;

before(async () => {
  world = await createWorld({ env: manyRequests });
  starter = await createStarter(world);
  const { baseUrl } = world.server;
  const { queries } = world.testDatabase.database;
  for (const [name, depth] of [
    ['released', 'LEAD'],
    ['hidden', 'STANDARD'],
  ] as const) {
    const id = await startPentest(baseUrl, starter, { ...starter.target, depth });
    runs[name] = id;
    await queries
      .insertInto('pentest_finding')
      .values({ ...finding, id: `fnd_${name}`, pentest_id: id })
      .execute();
    const highlights = JSON.stringify({ request: [{ start: 28, end: 32 }], response: [] });
    const texts = { label: 'quote', request: "GET https://shop.example/?q=tea'", response: '500', highlights };
    const shows = { is_cut: false, is_decisive: true, is_repeatable: true };
    const place = { pentest_id: id, fingerprint: finding.fingerprint, position: 0 };
    await queries
      .insertInto('evidence')
      .values({ ...place, ...texts, ...shows })
      .execute();
  }
  const settings = { XDG_CONFIG_HOME: home, SORTIE_BASE_URL: baseUrl, SORTIE_API_KEY: starter.apiKey };
  commands = createCommands('', { cwd: home, env: { ...cliEnvironment(), ...settings } });
});
after(async () => {
  await world.end();
  rmSync(home, { recursive: true });
});

const view = (...args: string[]) => commands.run(['finding', 'view', ...args]);

describe('sortie finding view', () => {
  it('prints a finding with its evidence for people', async () => {
    const { exitCode, stdout, stderr } = await view(runs.released, 'fnd_released');
    assert.deepEqual([exitCode, stderr], [0, '']);
    assert.match(stdout, /^HIGH {5}CONFIRMED {2}SQL injection\n/);
    assert.match(stdout, /^ {2}> GET https:\/\/shop\.example\/\?q=tea'\n {2}> {29}\^\^\^\^\n {2}< 500\n/m);
    assert.match(stdout, /^curl command\ncurl --include .*'https:\/\/shop\.example\/\?q=tea'\\'''$/m);
  });

  it('prints one document as the API answers it', async () => {
    const { exitCode, stdout } = await view(runs.released, 'fnd_released', '--json');
    const { schema, run, ...rest } = JSON.parse(stdout);
    assert.deepEqual([exitCode, schema, run], [0, 'sortie.finding/1', runs.released]);
    assert.deepEqual(rest, await findingOf(world.server.baseUrl, starter, runs.released, 'fnd_released'));
  });

  it('prints the address of its page in the dashboard', async () => {
    const { exitCode, stdout } = await view(runs.released, 'fnd_released', '--web');
    assert.equal(exitCode, 0);
    const path = `/accounts/${starter.accountId}/runs/${runs.released}/findings/fnd_released`;
    assert.equal(stdout, `${world.server.baseUrl}${path}\n`);
  });

  it('says which command lists the findings, for an id that is none', async () => {
    const { exitCode, stderr } = await view(runs.released, 'fnd_unknown');
    assert.equal(exitCode, 5);
    assert.match(stderr, /Finding fnd_unknown could not be read: .* \[NOT_FOUND\]\n/);
    assert.ok(stderr.includes(`List the findings of the run: npx sortie pentest findings ${runs.released}\n`), stderr);
  });

  it('says that the report is not released, with exit code 6', async () => {
    const { exitCode, stderr } = await view(runs.hidden, 'fnd_hidden');
    assert.equal(exitCode, 6);
    assert.match(stderr, /could not be read: the report of the run is not released yet \[NOT_RELEASED\]\n/);
    assert.ok(stderr.includes(`npx sortie pentest view ${runs.hidden}`), stderr);
    const { stdout } = await view(runs.hidden, 'fnd_hidden', '--json');
    assert.deepEqual([JSON.parse(stdout).schema, JSON.parse(stdout).code], ['sortie.error/1', 'NOT_RELEASED']);
  });

  it('says what to check, for a run that is none', async () => {
    const { exitCode, stderr } = await view('pen_unknown', 'fnd_1');
    assert.equal(exitCode, 5);
    assert.match(stderr, /\[NOT_FOUND\]\n {2}Check the id and the API key/);
  });
});
