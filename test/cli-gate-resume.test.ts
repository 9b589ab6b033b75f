import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { emptyFolder, runCli, startCli } from './support/cli.ts';
import {
  type Asked,
  RUN_ID,
  refusal,
  runStory,
  type Script,
  type ScriptedService,
  scriptedFinding,
  started,
  startScriptedService,
} from './support/scripted-service.ts';
import { waitFor } from './support/up.ts';

let service: ScriptedService;
const folders: string[] = [];

before(async () => {
  service = await startScriptedService();
});
after(async () => {
  await service.close();
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** A folder of its own, and the variables that lead to a service that follows the script. */
function scene(script: Script, more: Record<string, string> = {}) {
  const cwd = emptyFolder();
  folders.push(cwd);
  const { baseUrl, asked } = service.play(script);
  const env = { XDG_CONFIG_HOME: cwd, SORTIE_BASE_URL: baseUrl, SORTIE_API_KEY: 'srt_test_scripted', ...more };
  return { cwd, env, asked, baseUrl };
}

const kept = (cwd: string) => JSON.parse(readFileSync(path.join(cwd, '.sortie-run.json'), 'utf8'));
const keysOf = (asked: readonly Asked[]) =>
  asked.filter(({ method }) => method === 'POST').map(({ headers }) => headers['idempotency-key']);
const toStart = ['--start', '--target', 'https://shop.example/', '--verification', 'ver_1'];
const running = { status: 'RECON', completedAt: null, reportReleased: false };

describe('sortie gate that is interrupted', { concurrency: 2 }, () => {
  for (const [signal, exitCode] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    it(`leaves the run alone on ${signal}, says how to go on, and goes on`, async () => {
      let isOver = false;
      const { cwd, env, asked, baseUrl } = scene((one, before) =>
        runStory({ looks: [isOver ? {} : running] })(one, before),
      );
      const gate = startCli(['gate', ...toStart, '--poll', '100ms'], { cwd, env });
      await waitFor(() => gate.stderr().includes('RECON'), { what: () => gate.stderr() });
      gate.kill(signal);
      const { stderr, stdout, ...ended } = await gate.finished;
      assert.deepEqual([ended.exitCode, stdout], [exitCode, '']);
      assert.match(stderr, new RegExp(`\nThe run goes on\\. Resume: npx sortie gate ${RUN_ID}\n$`));
      assert.ok(asked.every(({ path }) => !path.endsWith('/cancel')));
      const { schema, id, baseUrl: keptUrl } = kept(cwd);
      assert.deepEqual([schema, id, keptUrl], ['sortie.run/1', RUN_ID, baseUrl]);
      isOver = true;
      const resumed = await runCli(['gate', '--json'], { cwd, env });
      assert.equal(resumed.exitCode, 0, resumed.stderr);
      assert.equal(JSON.parse(resumed.stdout).runId, RUN_ID);
      assert.equal(asked.filter(({ method }) => method === 'POST').length, 1);
    });
  }

  for (const flags of [[], ['--new']]) {
    it(`sends the same key again by "${['gate', '--start', ...flags].join(' ')}" when nobody knows what became of the start`, async () => {
      let isAnswering = false;
      const script = runStory({ looks: [{}] });
      const { cwd, env, asked } = scene((one, before) =>
        isAnswering ? script(one, before) : { status: 409, headers: { 'retry-after': '60' }, body: inProgress },
      );
      const gate = startCli(['gate', ...toStart, ...flags], { cwd, env });
      await waitFor(() => asked.length > 0, { what: () => gate.stderr() });
      gate.kill('SIGINT');
      const { exitCode, stderr } = await gate.finished;
      assert.equal(exitCode, 130);
      const { id, idempotencyKey } = kept(cwd);
      assert.equal(id, null);
      assert.ok(stderr.includes(`again with --idempotency-key ${idempotencyKey}, it starts nothing twice`), stderr);
      isAnswering = true;
      assert.equal((await runCli(['gate', ...toStart, ...flags], { cwd, env })).exitCode, 0);
      assert.deepEqual(keysOf(asked), [idempotencyKey, idempotencyKey]);
      assert.equal((await runCli(['gate', ...toStart, '--new'], { cwd, env })).exitCode, 0);
      assert.equal(new Set(keysOf(asked)).size, 2);
    });
  }

  it('makes another key with --new when the last one belongs to another request', async () => {
    const starts = [refusal(422, 'IDEMPOTENCY_KEY_REUSED'), refusal(422, 'IDEMPOTENCY_KEY_REUSED'), started()];
    const { cwd, env, asked } = scene(runStory({ looks: [{}], starts }));
    for (const [flags, exitCode] of [
      [[], 2],
      [[], 2],
      [['--new'], 0],
    ] as const) {
      const finished = await runCli(['gate', ...toStart, ...flags], { cwd, env });
      assert.equal(finished.exitCode, exitCode, finished.stderr);
    }
    const [first, second, third] = keysOf(asked);
    assert.equal(first, second);
    assert.notEqual(second, third);
  });

  const inProgress = { code: 'IDEMPOTENCY_IN_PROGRESS', message: 'Still running.', statusCode: 409 };
});

describe('sortie gate without an id', { concurrency: 2 }, () => {
  it('takes the run that SORTIE_RUN_ID names', async () => {
    const { cwd, env } = scene(runStory({ looks: [{}] }), { SORTIE_RUN_ID: RUN_ID });
    assert.equal((await runCli(['gate'], { cwd, env })).exitCode, 0);
  });

  it('does not take the last run when somebody describes another one and forgets to start it', async () => {
    const { cwd, env, asked } = scene(runStory({ looks: [{}] }), { SORTIE_RUN_ID: RUN_ID });
    const { exitCode, stderr } = await runCli(['gate', ...toStart.slice(1)], { cwd, env });
    assert.deepEqual([exitCode, asked.length], [2, 0]);
    assert.match(stderr, /^error: --target needs --start\n/);
  });

  it('judges what it has started, never the run that SORTIE_RUN_ID names', async () => {
    const starts = [{ status: 201, body: { status: 'QUEUED' } }, started()];
    const { cwd, env, asked } = scene(runStory({ looks: [{}], starts }), { SORTIE_RUN_ID: 'pen_other' });
    const { exitCode, stdout, stderr } = await runCli(['gate', ...toStart, '--json'], { cwd, env });
    assert.equal(exitCode, 0, stderr);
    assert.equal(JSON.parse(stdout).runId, RUN_ID);
    assert.ok(asked.every(({ path }) => !path.includes('pen_other')));
    assert.deepEqual([keysOf(asked).length, new Set(keysOf(asked)).size], [2, 1]);
  });

  it('does not take a run of another service, and asks for one', async () => {
    const { cwd, env, asked } = scene(runStory({ looks: [{}] }));
    const run = { schema: 'sortie.run/1', baseUrl: 'http://elsewhere.example', id: RUN_ID };
    writeFileSync(path.join(cwd, '.sortie-run.json'), JSON.stringify(run));
    const { exitCode, stderr } = await runCli(['gate'], { cwd, env });
    assert.deepEqual([exitCode, asked.length], [2, 0]);
    assert.match(stderr, /^error: Which run\? /);
  });
});

describe('what a gate was told to accept', { concurrency: 2 }, () => {
  const script = runStory({ looks: [{}], findings: [scriptedFinding()] });

  it('is what an earlier report holds', async () => {
    const { cwd, env } = scene(script);
    const first = await runCli(['gate', RUN_ID, '--json'], { cwd, env });
    assert.equal(first.exitCode, 1);
    writeFileSync(path.join(cwd, 'earlier.json'), first.stdout);
    assert.equal((await runCli(['gate', RUN_ID, '--baseline', 'earlier.json'], { cwd, env })).exitCode, 0);
  });

  it('is what a file names, until the day it says', async () => {
    const { cwd, env } = scene(script);
    const entry = (until: string) => `- fingerprint: print_1\n  until: ${until}\n  reason: fixed in the next release\n`;
    writeFileSync(path.join(cwd, 'accepted.yml'), entry('2999-01-01'));
    writeFileSync(path.join(cwd, 'expired.yml'), entry('2020-01-01'));
    const accepted = await runCli(['gate', RUN_ID, '--allow', 'accepted.yml'], { cwd, env });
    assert.equal(accepted.exitCode, 0);
    const expired = await runCli(['gate', RUN_ID, '--allow', 'expired.yml'], { cwd, env });
    assert.equal(expired.exitCode, 1);
    assert.match(expired.stderr, /print_1 was accepted until 2020-01-01, and counts again/);
  });

  it('needs an end', async () => {
    const { cwd, env } = scene(script);
    writeFileSync(path.join(cwd, 'forever.yml'), '- fingerprint: print_1\n');
    const { exitCode, stderr } = await runCli(['gate', RUN_ID, '--allow', 'forever.yml'], { cwd, env });
    assert.equal(exitCode, 2);
    assert.match(stderr, /entry 1 needs a fingerprint \(or id\) and a date "until"/);
  });
});
