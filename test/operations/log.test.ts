import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type Answer, call } from '@sortie/testing/http/call.ts';
import { assertEnds, type Node, type Nodes, openNodes } from '@sortie/testing/server/nodes.ts';
import type { Up } from '@sortie/testing/server/up.ts';

let nodes: Nodes;

before(async () => {
  nodes = await openNodes();
});

after(() => nodes.close());

function logLines(up: Up): Record<string, unknown>[] {
  return up
    .stderr()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('the log', () => {
  it('is JSON, names each request as its answer does, and never repeats what was sent', async () => {
    const node = await nodes.startNode(['--role', 'api'], { SORTIE_LOG_LEVEL: 'debug' });
    const answers = await sendCanaries(node);
    await nodes.refuseConnections();
    answers.push(await sendCanary(node, { path: '/v1/credits/usage?pentestId=canary-query' }));
    assert.equal(answers.at(-1)?.status, 500);
    await nodes.allowConnections();
    await assertEnds(node);

    const lines = logLines(node.up);
    for (const { status, headers } of answers) {
      const id = headers['x-request-id'];
      assert.ok(id);
      const line = lines.find(({ requestId, msg }) => requestId === id && msg === 'answered');
      assert.equal(line?.status, status);
    }
    const failed = lines.find(({ msg }) => msg === 'request failed');
    assert.equal(failed?.requestId, answers.at(-1)?.headers['x-request-id']);
    assert.ok(failed?.errorName);
    assert.match(String(failed?.errorAt), /\.[tj]s:\d+:\d+/);
    assert.doesNotMatch(node.up.stderr(), /canary/i);
    assert.ok(!node.up.stderr().includes(node.demo?.apiKey.split('_')[3] ?? ''), 'the log has the key');
  });
});

/** Every way in which a request can be refused, with something in it that must not be written down. */
async function sendCanaries(node: Node): Promise<Answer[]> {
  const body = { targetUrl: 'https://canary.example/', verificationId: 'canary', surprise: 'canary' };
  const headers = { 'idempotency-key': 'canary-idempotency', cookie: 'canary-cookie', 'user-agent': 'canary-agent' };
  const junk = `srt_test_${'c'.repeat(12)}_${'canary'.repeat(6)}aa`;
  const start = { path: '/v1/pentests', method: 'POST', headers };
  const answers = [
    await sendCanary(node, { path: '/v1/credits/balance', key: 'canary-key' }),
    await sendCanary(node, { path: '/v1/credits/balance', key: junk }),
    await sendCanary(node, { path: '/v1/canary-path/canary?canary=canary' }),
    await sendCanary(node, { path: '/canary-page' }),
    await sendCanary(node, { path: '/%zz-canary' }),
    await sendCanary(node, { path: '/v1/credits/usage?limit=canary&from=canary' }),
    await sendCanary(node, { path: '/v1/pentests/canary-id' }),
    await sendCanary(node, { ...start, body }),
    await sendCanary(node, { ...start, body: '{"canary": canary' }),
    await sendCanary(node, { ...start, body: Buffer.from('"canary\xff"', 'latin1') }),
    await sendCanary(node, { ...start, body, headers: { ...headers, 'content-type': 'text/canary' } }),
    await sendCanary(node, { ...start, body: { targetUrl: 'canary'.repeat(50_000) } }),
  ];
  assert.ok(answers.every(({ status }) => status >= 400 && status < 500));
  const socket = net.connect(Number(new URL(node.baseUrl).port), '127.0.0.1');
  socket.end('CANARY canary HTTP/canary\r\ncanary: canary\r\n\r\n');
  await once(socket.resume(), 'close');
  return answers;
}

type CanaryRequest = Parameters<typeof call>[1] & { path: string };

function sendCanary({ baseUrl, demo }: Node, { path: route, ...options }: CanaryRequest): Promise<Answer> {
  return call(baseUrl + route, { key: demo?.apiKey ?? '', ...options });
}
