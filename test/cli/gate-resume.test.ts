import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { keysOf, startsOf, toStart, useScenes } from '@sortie/testing/cli/cli-scenes.ts';
import { RUN_ID, refusal, runStory, scriptedFinding, started } from '@sortie/testing/cli/scripted-service.ts';
import { waitFor } from '@sortie/testing/server/up.ts';

const scene = useScenes();

const kept = (cwd: string) => JSON.parse(readFileSync(path.join(cwd, '.sortie-run.json'), 'utf8'));
const running = { status: 'RECON', completedAt: null, reportReleased: false };

describe('sortie gate that is interrupted', { concurrency: 2 }, () => {
  for (const [signal, exitCode] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    it(`leaves the run alone on ${signal}, says how to go on, and goes on`, async () => {
      let isOver = false;
      const { cwd, sortie, start, asked, baseUrl } = scene((one, before) =>
        runStory({ looks: [isOver ? {} : running] })(one, before),
      );
      const flags = ['--poll', '100ms', '--fail-on', 'low'];
      const gate = start('gate', ...toStart, ...flags);
      await waitFor(() => gate.stderr().includes('RECON'), { what: () => gate.stderr() });
      gate.kill(signal);
      const { stderr, stdout, ...ended } = await gate.finished;
      assert.deepEqual([ended.exitCode, stdout], [exitCode, '']);
      assert.match(
        stderr,
        new RegExp(`\nThe run continues\\. Resume: npx sortie gate ${RUN_ID} ${flags.join(' ')}\n$`),
      );
      assert.ok(asked.every(({ path }) => !path.endsWith('/cancel')));
      const { schema, id, baseUrl: keptUrl } = kept(cwd);
      assert.deepEqual([schema, id, keptUrl], ['sortie.run/1', RUN_ID, baseUrl]);
      isOver = true;
      const resumed = await sortie('gate', '--json');
      assert.equal(resumed.exitCode, 0, resumed.stderr);
      assert.equal(JSON.parse(resumed.stdout).runId, RUN_ID);
      assert.equal(startsOf(asked).length, 1);
    });
  }

  for (const flags of [[], ['--new']]) {
    it(`sends the same key again by "${['gate', '--start', ...flags].join(' ')}" when nobody knows what became of the start`, async () => {
      let isAnswering = false;
      const script = runStory({ looks: [{}] });
      const { cwd, sortie, start, asked } = scene((one, before) =>
        isAnswering ? script(one, before) : { status: 409, headers: { 'retry-after': '60' }, body: inProgress },
      );
      const gate = start('gate', ...toStart, ...flags);
      await waitFor(() => asked.length > 0, { what: () => gate.stderr() });
      gate.kill('SIGINT');
      const { exitCode, stderr } = await gate.finished;
      assert.equal(exitCode, 130);
      const { id, idempotencyKey } = kept(cwd);
      assert.equal(id, null);
      assert.ok(
        stderr.includes(`again with --idempotency-key ${idempotencyKey}; it does not start a second run`),
        stderr,
      );
      isAnswering = true;
      assert.equal((await sortie('gate', ...toStart, ...flags)).exitCode, 0);
      assert.deepEqual(keysOf(asked), [idempotencyKey, idempotencyKey]);
      assert.equal((await sortie('gate', ...toStart, '--new')).exitCode, 0);
      assert.equal(new Set(keysOf(asked)).size, 2);
    });
  }

  it('makes another key with --new when the last one belongs to another request', async () => {
    const starts = [refusal(422, 'IDEMPOTENCY_KEY_REUSED'), refusal(422, 'IDEMPOTENCY_KEY_REUSED'), started()];
    const { sortie, asked } = scene(runStory({ looks: [{}], starts }));
    for (const [flags, exitCode] of [
      [[], 2],
      [[], 2],
      [['--new'], 0],
    ] as const) {
      const finished = await sortie('gate', ...toStart, ...flags);
      assert.equal(finished.exitCode, exitCode, finished.stderr);
    }
    const [first, second, third] = keysOf(asked);
    assert.equal(first, second);
    assert.notEqual(second, third);
  });

  const inProgress = { code: 'IDEMPOTENCY_IN_PROGRESS', message: 'Still running.', statusCode: 409 };
});

describe('sortie pentest watch', { concurrency: 2 }, () => {
  const flags = ['--max-wait', '400ms', '--poll', '100ms'];

  it('says how to go on when the wait is used up', async () => {
    const { sortie } = scene(runStory({ looks: [running] }));
    const { exitCode, stdout, stderr } = await sortie('pentest', 'watch', RUN_ID, ...flags);
    assert.equal(exitCode, 6);
    assert.match(stdout, /^Status +RECON\n/m);
    const words = '--max-wait is over: the run is still in progress (RECON)';
    assert.ok(stderr.endsWith(`\n${words}. Resume: npx sortie pentest watch ${RUN_ID} ${flags.join(' ')}\n`), stderr);
  });

  it('says how to go on when it is interrupted', async () => {
    const { start } = scene(runStory({ looks: [running] }));
    const watch = start('pentest', 'watch', RUN_ID, '--poll', '100ms');
    await waitFor(() => watch.stderr().includes('RECON'), { what: () => watch.stderr() });
    watch.kill('SIGINT');
    const { exitCode, stderr } = await watch.finished;
    assert.equal(exitCode, 130);
    assert.match(
      stderr,
      new RegExp(`\nThe run continues\\. Resume: npx sortie pentest watch ${RUN_ID} --poll 100ms\n$`),
    );
  });
});

describe('sortie gate without an id', { concurrency: 2 }, () => {
  it('takes the last run still when a start after it was refused, and sends that one with its key again', async () => {
    const starts = [started(), refusal(404, 'NOT_FOUND'), refusal(402, 'INSUFFICIENT_CREDITS')];
    const { sortie, asked } = scene(runStory({ looks: [{}], starts }));
    for (const exitCode of [0, 5, 5]) assert.equal((await sortie('gate', ...toStart)).exitCode, exitCode);
    const [first, second, third] = keysOf(asked);
    assert.notEqual(first, second);
    assert.equal(second, third);
    const { exitCode, stderr } = await sortie('gate');
    assert.equal(exitCode, 0, stderr);
    assert.match(stderr, new RegExp(`^Run ${RUN_ID} \\(last run of this folder\\)\n`));
  });

  it('does not take an older run when nobody knows what became of a start', async () => {
    const starts = [started(), refusal(409, 'IDEMPOTENCY_IN_PROGRESS', { 'retry-after': '151' })];
    const { sortie } = scene(runStory({ looks: [{}], starts }));
    for (const exitCode of [0, 8]) assert.equal((await sortie('gate', ...toStart)).exitCode, exitCode);
    const { exitCode, stderr } = await sortie('gate');
    assert.equal(exitCode, 2);
    assert.match(stderr, /^error: No run given: /);
  });

  it('takes the run that SORTIE_RUN_ID names', async () => {
    const { sortie } = scene(runStory({ looks: [{}] }), { SORTIE_RUN_ID: RUN_ID });
    assert.equal((await sortie('gate')).exitCode, 0);
  });

  it('does not take the last run when somebody describes another one and forgets to start it', async () => {
    const { sortie, asked } = scene(runStory({ looks: [{}] }), { SORTIE_RUN_ID: RUN_ID });
    const { exitCode, stderr } = await sortie('gate', ...toStart.slice(1));
    assert.deepEqual([exitCode, asked.length], [2, 0]);
    assert.match(stderr, /^error: --target needs --start: without it, the gate judges an existing run\n/);
  });

  it('judges what it has started, never the run that SORTIE_RUN_ID names', async () => {
    const starts = [{ status: 201, body: { status: 'QUEUED' } }, started()];
    const { sortie, asked } = scene(runStory({ looks: [{}], starts }), { SORTIE_RUN_ID: 'pen_other' });
    const { exitCode, stdout, stderr } = await sortie('gate', ...toStart, '--json');
    assert.equal(exitCode, 0, stderr);
    assert.equal(JSON.parse(stdout).runId, RUN_ID);
    assert.ok(asked.every(({ path }) => !path.includes('pen_other')));
    assert.deepEqual([keysOf(asked).length, new Set(keysOf(asked)).size], [2, 1]);
  });

  it('does not take a run of another service, and asks for one', async () => {
    const { cwd, sortie, asked } = scene(runStory({ looks: [{}] }));
    const run = { schema: 'sortie.run/1', baseUrl: 'http://elsewhere.example', id: RUN_ID };
    writeFileSync(path.join(cwd, '.sortie-run.json'), JSON.stringify(run));
    const { exitCode, stderr } = await sortie('gate');
    assert.deepEqual([exitCode, asked.length], [2, 0]);
    assert.match(stderr, /^error: No run given: /);
  });
});

describe('what a gate was told to accept', { concurrency: 2 }, () => {
  const script = runStory({ looks: [{}], findings: [scriptedFinding()] });

  it('is what an earlier report holds', async () => {
    const { cwd, sortie } = scene(script);
    const first = await sortie('gate', RUN_ID, '--json');
    assert.equal(first.exitCode, 1);
    writeFileSync(path.join(cwd, 'earlier.json'), first.stdout);
    assert.equal((await sortie('gate', RUN_ID, '--baseline', 'earlier.json')).exitCode, 0);
  });

  it('is what a file names, until the day it says', async () => {
    const { cwd, sortie } = scene(script);
    const entry = (until: string) => `- fingerprint: print_1\n  until: ${until}\n  reason: fixed in the next release\n`;
    writeFileSync(path.join(cwd, 'accepted.yml'), entry('2999-01-01'));
    writeFileSync(path.join(cwd, 'expired.yml'), entry('2020-01-01'));
    const accepted = await sortie('gate', RUN_ID, '--allow', 'accepted.yml');
    assert.equal(accepted.exitCode, 0);
    const expired = await sortie('gate', RUN_ID, '--allow', 'expired.yml');
    assert.equal(expired.exitCode, 1);
    assert.match(expired.stderr, /acceptance of print_1 expired on 2020-01-01; the finding counts again/);
  });

  it('needs an end', async () => {
    const { cwd, sortie } = scene(script);
    writeFileSync(path.join(cwd, 'forever.yml'), '- fingerprint: print_1\n');
    const { exitCode, stderr } = await sortie('gate', RUN_ID, '--allow', 'forever.yml');
    assert.equal(exitCode, 2);
    assert.match(stderr, /entry 1 needs a fingerprint \(or id\) and a date "until"/);
  });
});
