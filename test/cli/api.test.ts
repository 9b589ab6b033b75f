import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useScenes } from '@sortie/testing/cli/cli-scenes.ts';
import { started } from '@sortie/testing/cli/scripted-service.ts';

const scene = useScenes();

const start = ['api', 'POST', '/v1/pentests', '-f', 'targetUrl=https://shop.example/'];

describe('the idempotency key that "sortie api" makes for a start', { concurrency: 2 }, () => {
  it('is told on stderr, and in the document', async () => {
    const { sortie, asked } = scene(() => started());
    const { exitCode, stdout, stderr } = await sortie(...start, '--json');
    assert.equal(exitCode, 0, stderr);
    const key = String(asked[0]?.headers['idempotency-key']);
    assert.equal(stderr, `Idempotency-Key: ${key}\n`);
    assert.equal(JSON.parse(stdout).idempotencyKey, key);
  });

  it('is told when nobody answers, with the advice to use it again', async () => {
    const { sortie } = scene(() => started(), { SORTIE_BASE_URL: 'http://127.0.0.1:1' });
    const { exitCode, stdout, stderr } = await sortie(...start, '--json');
    const { idempotencyKey, hint } = JSON.parse(stdout);
    assert.deepEqual([exitCode, stderr], [8, `Idempotency-Key: ${idempotencyKey}\n`]);
    assert.ok(hint.includes(`--idempotency-key ${idempotencyKey} `), hint);
  });

  it('is not made when there is one, or nothing is started', async () => {
    const { sortie, asked } = scene(() => started());
    const given = await sortie(...start, '--idempotency-key', 'mine', '--json');
    assert.deepEqual([given.stderr, JSON.parse(given.stdout).idempotencyKey], ['', 'mine']);
    const read = await sortie('api', 'GET', '/v1/pentests', '-f', 'limit=1', '--json');
    assert.deepEqual([read.stderr, 'idempotencyKey' in JSON.parse(read.stdout)], ['', false]);
    assert.deepEqual(
      asked.map(({ headers }) => headers['idempotency-key']),
      ['mine', undefined],
    );
    assert.equal(asked[1]?.query.get('limit'), '1');
  });
});
