import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { cliEnvironment, emptyFolder } from '@sortie/testing/cli/cli.ts';
import { expected, type Kind, refusals } from '@sortie/testing/cli/cli-stories.ts';
import { type Commands, createCommands } from '@sortie/testing/cli/commands.ts';
import { playToCli, startOf } from '@sortie/testing/cli/play-to-cli.ts';
import { stories } from '@sortie/testing/inside/server.ts';
import { type Client, createClient, urlOf } from '@sortie/testing/server/sandbox.ts';
import { manyRequests } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
let client: Client;
let commands: Commands;
let settings: Record<string, string>;
const home = emptyFolder();

before(async () => {
  world = await createWorld({ env: manyRequests });
  client = await createClient(world);
  settings = { XDG_CONFIG_HOME: home, SORTIE_BASE_URL: world.server.baseUrl, SORTIE_API_KEY: client.apiKey };
  commands = createCommands('', { cwd: home, env: { ...cliEnvironment(), ...settings } });
});
after(async () => {
  await world.end();
  rmSync(home, { recursive: true });
});

const kinds: readonly Kind[] = ['pentest', 'scan'];

describe('what is expected of the command line in the sandbox', () => {
  for (const kind of kinds) {
    it(`is written down for every story of a ${kind} there is`, () => {
      const known = Object.keys(stories).filter((story) => stories[story]?.[kind]);
      assert.deepEqual(Object.keys(expected[kind]).toSorted(), known.toSorted());
    });
  }
});

/** The others follow in the long tests. */
const quickOnes: Record<Kind, readonly string[]> = {
  pentest: ['released-clean', 'review-released', 'failed', 'unknown-status', 'start-500-then-retry'],
  scan: ['scan-warnings', 'scan-failed'],
};

describe('sortie in the sandbox', { concurrency: 3 }, () => {
  for (const kind of kinds) {
    for (const story of quickOnes[kind]) {
      it(`ends with ${expected[kind][story]?.exitCode} in the story ${story}`, () =>
        playToCli(kind, story, { client, home, env: settings }));
    }
  }
});

describe('a start that the service refuses', () => {
  const commandOf = (kind: Kind, story: string) =>
    kind === 'scan' ? ['scan', urlOf(story)] : ['gate', '--start', ...startOf(client, story, 'lead')];
  const full: typeof refusals.pentest = { concurrency: [5, 'PENTEST_CONCURRENCY_EXCEEDED'] };

  for (const kind of kinds) {
    for (const [story, [exitCode, code]] of Object.entries({ ...refusals[kind], ...(kind === 'pentest' && full) })) {
      it(`of a ${kind} ends with ${exitCode} in the story ${story}`, async () => {
        const finished = await commands.run([...commandOf(kind, story), '--json']);
        const document = JSON.parse(finished.stdout);
        assert.deepEqual([finished.exitCode, document.schema, document.code], [exitCode, 'sortie.error/1', code]);
        assert.ok(document.hint.length > 10);
      });
    }
  }
});

const BOM = '\ufeff';

describe('a run that is over', () => {
  let id: string;
  before(async () => {
    const { stdout } = await commands.run([
      'pentest',
      'start',
      ...startOf(client, 'released-findings', 'lead'),
      '--json',
    ]);
    id = JSON.parse(stdout).id;
  });

  it('is watched to its end, with a line of JSON for each change', async () => {
    const { exitCode, stdout } = await commands.run(['pentest', 'watch', id, '--json', '--poll', '200ms']);
    assert.equal(exitCode, 0);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.ok(lines.every(({ schema }) => schema === 'sortie.watch/1'));
    assert.equal(lines.at(-1).status, 'COMPLETED');
    const people = await commands.run(['pentest', 'watch', id]);
    assert.match(people.stdout, /^Status +COMPLETED\n[\s\S]*^Found +15 findings \(3 critical, 3 high, /m);
  });

  it('has findings, and some of them are of a severity', async () => {
    const { stdout } = await commands.run(['pentest', 'findings', id, '--severity', 'critical,high', '--json']);
    const { reportReleased, findings } = JSON.parse(stdout);
    assert.deepEqual([reportReleased, findings.length], [true, 6]);
    const people = await commands.run(['pentest', 'findings', id, '--severity', 'critical']);
    assert.match(people.stdout, /^CRITICAL CONFIRMED {2}[\s\S]*^3 findings \(3 critical\)\n$/m);
  });

  it('is reported in several formats at once', async () => {
    const file = (name: string) => path.join(home, name);
    const flags = ['sarif', 'junit', 'csv'].flatMap((format) => ['--format', format, '-o', file(`run.${format}`)]);
    const { exitCode, stdout } = await commands.run(['report', id, ...flags, '--json']);
    assert.equal(exitCode, 0, stdout);
    const { schema, isJudged, files } = JSON.parse(stdout);
    assert.deepEqual([schema, isJudged, files.length], ['sortie.report/1', true, 3]);
    assert.equal(JSON.parse(readFileSync(file('run.sarif'), 'utf8')).runs[0].results.length, 15);
    assert.match(readFileSync(file('run.junit'), 'utf8'), /^<\?xml/);
    assert.equal(readFileSync(file('run.csv'), 'utf8').replace(BOM, '').trimEnd().split('\n').length >= 16, true);
  });

  it('is reported on stdout, also as what a later gate accepts', async () => {
    const { stdout } = await commands.run(['report', id, '--format', 'json']);
    const baseline = path.join(home, 'baseline.json');
    writeFileSync(baseline, stdout);
    assert.equal((await commands.run(['gate', id, '--baseline', baseline, '--quiet'])).exitCode, 0);
    assert.match((await commands.run(['report', id])).stdout, /^## Sortie pentest of /);
  });

  it('is printed as a PDF', async () => {
    const file = path.join(home, 'run.pdf');
    const { exitCode, stderr } = await commands.run(['report', id, '--format', 'pdf', '-o', file]);
    assert.equal(exitCode, 0, stderr);
    assert.equal(readFileSync(file).subarray(0, 5).toString(), '%PDF-');
  });

  it('is not reported in a format that nobody knows, and nothing is written', async () => {
    const file = path.join(home, 'run.doc');
    const { exitCode, stderr } = await commands.run(['report', id, '--format', 'doc', '-o', file]);
    assert.deepEqual([exitCode, existsSync(file)], [2, false]);
    assert.match(stderr, /^error: --format must be one of: sarif, junit, .*pdf\n/);
  });
});

describe('a scan', () => {
  it('is reported as well', async () => {
    const scan = ['scan', urlOf('scan-findings'), '--json', '--quiet', '--poll', '200ms'];
    const { id } = JSON.parse((await commands.run(scan)).stdout);
    const { exitCode, stdout } = await commands.run(['report', id, '--format', 'json']);
    assert.equal(exitCode, 0);
    const { kind, findings } = JSON.parse(stdout);
    assert.deepEqual([kind, findings.length], ['scan', 5]);
  });
});
