import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { emptyFolder, runCli } from './support/cli.ts';
import { type Script, type ScriptedService, started, startScriptedService } from './support/scripted-service.ts';

let service: ScriptedService;
const cwd = emptyFolder();

before(async () => {
  service = await startScriptedService();
});
after(async () => {
  await service.close();
  rmSync(cwd, { recursive: true });
});

const start = ['api', 'POST', '/v1/pentests', '-f', 'targetUrl=https://shop.example/'];

function scene(script: Script) {
  const { baseUrl, asked } = service.play(script);
  const env = { XDG_CONFIG_HOME: cwd, SORTIE_BASE_URL: baseUrl, SORTIE_API_KEY: 'srt_test_scripted' };
  return { options: { cwd, env }, asked };
}

describe('the idempotency key that "sortie api" makes for a start', { concurrency: 2 }, () => {
  it('is told on stderr, and in the document', async () => {
    const { options, asked } = scene(() => started());
    const { exitCode, stdout, stderr } = await runCli([...start, '--json'], options);
    assert.equal(exitCode, 0, stderr);
    const key = String(asked[0]?.headers['idempotency-key']);
    assert.equal(stderr, `Idempotency-Key: ${key}\n`);
    assert.equal(JSON.parse(stdout).idempotencyKey, key);
  });

  it('is told when nobody answers, with the advice to use it again', async () => {
    const { options } = scene(() => started());
    const nobody = { ...options, env: { ...options.env, SORTIE_BASE_URL: 'http://127.0.0.1:1' } };
    const { exitCode, stdout, stderr } = await runCli([...start, '--json'], nobody);
    const { idempotencyKey, hint } = JSON.parse(stdout);
    assert.deepEqual([exitCode, stderr], [8, `Idempotency-Key: ${idempotencyKey}\n`]);
    assert.ok(hint.includes(`--idempotency-key ${idempotencyKey} `), hint);
  });

  it('is not made when there is one, or nothing is started', async () => {
    const { options, asked } = scene(() => started());
    const given = await runCli([...start, '--idempotency-key', 'mine', '--json'], options);
    assert.deepEqual([given.stderr, JSON.parse(given.stdout).idempotencyKey], ['', 'mine']);
    const read = await runCli(['api', 'GET', '/v1/pentests', '-f', 'limit=1', '--json'], options);
    assert.deepEqual([read.stderr, 'idempotencyKey' in JSON.parse(read.stdout)], ['', false]);
    assert.deepEqual(
      asked.map(({ headers }) => headers['idempotency-key']),
      ['mine', undefined],
    );
    assert.equal(asked[1]?.query.get('limit'), '1');
  });
});
