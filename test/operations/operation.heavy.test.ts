import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { networkInterfaces } from 'node:os';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '@sortie/testing/http/call.ts';
import { casesOf, isFull } from '@sortie/testing/runner/test-size.ts';
import { assertEnds, type Nodes, openNodes, readBalance, readiness } from '@sortie/testing/server/nodes.ts';
import type { ReadyLine } from '@sortie/testing/server/server.ts';
import { quietFlags, startUp, waitFor } from '@sortie/testing/server/up.ts';
import pg from 'pg';

let nodes: Nodes;

before(async () => {
  nodes = await openNodes();
});

after(() => nodes.close());

/** While it is held, every request of the key waits to be counted. */
async function holdCounterOf({ demo }: ReadyLine): Promise<{ release(): Promise<void> }> {
  const client = new pg.Client(nodes.testDatabase.url);
  await client.connect();
  await client.query('begin');
  const { rowCount } = await client.query('update rate_counter set requests = requests where counter like $1', [
    `key:read:${demo?.apiKey.split('_')[2]}`,
  ]);
  assert.equal(rowCount, 1);
  return {
    async release() {
      await client.query('commit');
      await client.end();
    },
  };
}

describe('the operator port', () => {
  it('tells health, readiness and metrics, on loopback only', async () => {
    const node = await nodes.startNode(['--role', 'api', '--host', '0.0.0.0', '--behind-proxy', '1']);
    await readBalance(node);
    assert.equal((await call(`${node.opsUrl}/healthz`)).status, 200);
    assert.equal(await readiness(node), 200);
    const counter = 'sortie_http_request_seconds_count{method="GET",route="/v1/credits/balance",status="200"} 1\n';
    const readMetrics = async () => (await call(`${node.opsUrl}/metrics`)).text;
    // A request is counted when its answer is out, which its caller may see first.
    await waitFor(async () => (await readMetrics()).includes(counter), { what: counter });
    assert.match(await readMetrics(), /^process_resident_memory_bytes /m);
    assert.equal((await call(`${node.opsUrl}/`)).status, 404);
    const outside = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .find(({ family, internal }) => family === 'IPv4' && !internal);
    if (outside) {
      const { port } = new URL(node.opsUrl);
      await assert.rejects(call(`http://${outside.address}:${port}/healthz`), { code: 'ECONNREFUSED' });
      const api = new URL(node.baseUrl).port;
      assert.equal((await call(`http://${outside.address}:${api}/v1/levels`)).status, 401);
    }
    await assertEnds(node);
  });
});

describe('a stop', () => {
  it('finishes requests in flight, takes no new ones, and waits for nothing else', async () => {
    const node = await nodes.startNode(['--role', 'api']);
    await readBalance(node);
    const agent = new http.Agent({ keepAlive: true });
    const idle = net.connect(Number(new URL(node.baseUrl).port), '127.0.0.1');
    await once(idle, 'connect');
    const { release } = await holdCounterOf(node);
    const inFlight = readBalance(node, { agent });
    await nodes.waitUntilRequestWaits();
    const ended = node.up.end('SIGTERM');
    await waitFor(async () => (await readiness(node)) === 503, { what: 'not ready while stopping' });
    // A connection that waits to be accepted while the port closes is reset.
    const isRefused = async () => {
      const error = await readBalance(node).catch((reason: NodeJS.ErrnoException) => reason);
      assert.ok(error instanceof Error, 'it took a new request');
      return error.code === 'ECONNREFUSED';
    };
    await waitFor(isRefused, { what: 'refused while stopping' });
    assert.equal((await call(`${node.opsUrl}/healthz`)).status, 200);
    await sleep(100);
    assert.equal(node.up.child.exitCode, null, 'it went without its request');
    const releasedAt = performance.now();
    await release();
    const answer = await inFlight;
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.connection, 'close');
    const { code } = await ended;
    assert.equal(code, 0);
    const restMs = performance.now() - releasedAt;
    assert.ok(restMs < 2_900, `the stop took ${Math.round(restMs)} ms after its last request`);
    agent.destroy();
    idle.destroy();
  });

  if (isFull)
    it('does not wait for ever: neither for a request, nor for its connection to the database', async () => {
      const node = await nodes.startNode(['--role', 'api']);
      await readBalance(node);
      const { release } = await holdCounterOf(node);
      const inFlight = assert.rejects(readBalance(node), { code: 'ECONNRESET' });
      await nodes.waitUntilRequestWaits();
      await assertEnds(node);
      await inFlight;
      await release();
    });

  if (isFull)
    it('is cut short by a second signal, but not by the echo of the first', async () => {
      const node = await nodes.startNode(['--role', 'api']);
      await readBalance(node);
      const { release } = await holdCounterOf(node);
      const inFlight = assert.rejects(readBalance(node), { code: 'ECONNRESET' });
      await nodes.waitUntilRequestWaits();
      node.up.child.kill('SIGINT');
      await sleep(50);
      node.up.child.kill('SIGINT');
      await sleep(1_000);
      assert.equal(node.up.child.exitCode, null, 'the echo ended it');
      const { code, durationMs } = await node.up.end('SIGINT');
      assert.equal(code, 1);
      assert.ok(durationMs < 1_000, `${Math.round(durationMs)} ms`);
      await inFlight;
      await release();
    });

  it('follows an error that nobody foresaw, which is logged without what it says', async () => {
    const bomb = `process.on('SIGUSR2', () => { throw new Error('canary in a message') })`;
    const node = await nodes.startNode(['--role', 'api'], {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(bomb)}`,
    });
    const { code } = await node.up.end('SIGUSR2');
    assert.equal(code, 1);
    assert.match(node.up.stderr(), /"msg":"unexpected error"/);
    assert.match(node.up.stderr(), /"msg":"stopped"/);
    assert.match(node.up.stderr(), /error: The server stopped because of an unexpected error/);
    assert.doesNotMatch(node.up.stderr(), /canary in a message/);
  });
});

describe('DATABASE_URL', () => {
  if (isFull)
    it('is shared by nodes of every role, each with a data folder of its own', async () => {
      const [all, api] = await Promise.all([nodes.startNode(['--no-demo']), nodes.startNode(['--role', 'api'])]);
      const worker = await nodes.startNode(['--role', 'worker']);
      assert.equal(worker.baseUrl, null);
      assert.equal(worker.demo, null);
      assert.equal(await readiness(worker), 200);
      const answer = await readBalance({ ...api, baseUrl: all.baseUrl });
      assert.equal(answer.status, 200);
      await Promise.all([all, api, worker].map(assertEnds));
    });

  it('that leads nowhere is refused without its password', async () => {
    const { host = '', database } = nodes.testDatabase.connection;
    const socket = `host=${encodeURIComponent(host)}&port=5432`;
    const addresses = casesOf(
      [
        [`postgres://sortie:canary@localhost/${database}?${socket}`, /cannot be used: password authentication failed/],
        ['postgres://user:canary@host:port/sortie', /DATABASE_URL must look like postgres:\/\//],
      ],
      [
        [
          'postgres://user:canary@127.0.0.1:1/sortie',
          /DATABASE_URL cannot be used: connect ECONNREFUSED 127\.0\.0\.1:1/,
        ],
        ['postgres://user:can%zzary@127.0.0.1:1/sortie', /cannot be used: /],
      ],
    );
    await Promise.all(
      addresses.map(async ([url, message]) => {
        const up = startUp({ flags: quietFlags(nodes.newDataDir()), env: { DATABASE_URL: url } });
        const { code } = await up.end();
        assert.equal(code, 1);
        assert.match(up.stderr(), message);
        assert.doesNotMatch(up.stderr(), /can%?\w*ary|^\s+at /m);
      }),
    );
  });
});
