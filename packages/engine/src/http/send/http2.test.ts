import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import zlib from 'node:zlib';
import { testSender } from '@sortie/testing/engine/test-sender.ts';
import { type Http2Listener, type Http2Site, startHttp2Site } from '@sortie/testing/targets/http2-site.ts';
import type { TargetRequest } from '../exchange/exchange.ts';
import type { Sender } from '../exchange/sender.ts';
import { StopSending } from '../exchange/sender.ts';

type Ask = (path: string, request?: Partial<TargetRequest>) => ReturnType<Sender['send']>;

interface Scene {
  site: Http2Site;
  sender: Sender;
  ask: Ask;
}

interface Given {
  listener?: Http2Listener;
  site?: Parameters<typeof startHttp2Site>[1];
  sender?: Parameters<typeof testSender>[0];
}

const hello: Http2Listener = (_, response) => void response.end('hello');

async function meet(
  { listener = hello, site: options = {}, sender: settings = {} }: Given,
  test: (scene: Scene) => Promise<void>,
) {
  const site = await startHttp2Site(listener, options);
  const sender = testSender({ verifyTls: false, isHttp2Allowed: true, ...settings });
  const ask: Ask = (path, request) =>
    sender.send({ method: 'GET', url: `${site.url}${path}`, purpose: 'look', ...request });
  try {
    await test({ site, sender, ask });
  } finally {
    await sender.close();
    await site.close();
  }
}

const many = (ask: Ask, count: number) => Promise.all(Array.from({ length: count }, (_, index) => ask(`/${index}`)));

describe('HTTP/2', () => {
  it('carries all requests over one connection, many at once, and counts them as ever', () =>
    meet(
      { listener: (_, response) => void setTimeout(() => response.end('hello'), 30) },
      async ({ site, sender, ask }) => {
        await ask('/');
        const exchanges = await many(ask, 60);
        assert.ok(exchanges.every(({ response }) => response?.body.toString() === 'hello' && !response.isCut));
        assert.ok(site.asked.every((one) => one.endsWith(' 2.0')));
        assert.ok(site.mostAtOnce() > 6 && site.mostAtOnce() <= 32, `${site.mostAtOnce()} at once`);
        assert.equal(site.connections(), 1);
        assert.equal(sender.requestsSent(), 61);
        const [entry, ...others] = sender.takeEgress();
        assert.deepEqual([entry?.connections, entry?.requests, entry?.address, others.length], [1, 61, '127.0.0.1', 0]);
      },
    ));

  it('keeps to what the server bears at once', () =>
    meet(
      {
        listener: (_, response) => void setTimeout(() => response.end(), 10),
        site: { settings: { maxConcurrentStreams: 3 } },
      },
      async ({ site, ask }) => {
        await ask('/');
        const exchanges = await many(ask, 12);
        assert.ok(exchanges.every(({ response }) => response?.status === 200));
        assert.ok(site.mostAtOnce() <= 3, `${site.mostAtOnce()} at once`);
      },
    ));

  it('is one of the connections that may be open at once', () =>
    meet(
      {
        listener: (_, response) => void setTimeout(() => response.end(), 10),
        sender: { limits: { atOnce: 3 } },
      },
      async ({ site, ask }) => {
        await ask('/');
        const traces = await Promise.all(Array.from({ length: 9 }, () => ask('/', { method: 'TRACE' })));
        assert.ok(traces.every(({ response }) => response?.status === 200));
        assert.equal(site.asked.filter((one) => one === 'TRACE / 1.1').length, 9);
        assert.equal(site.mostAtOnce(), 2);
      },
    ));

  it('is not spoken unless it is allowed, nor where it is not offered', async () => {
    for (const given of [{ sender: { isHttp2Allowed: false } }, { site: { offersHttp2: false } }]) {
      await meet(given, async ({ site, sender, ask }) => {
        assert.equal((await ask('/')).response?.body.toString(), 'hello');
        assert.deepEqual(site.asked, ['GET / 1.1']);
        assert.ok(!sender.sharesConnection(site.url));
      });
    }
  });

  it('keeps one of several connections that were made together', () =>
    meet({}, async ({ site, ask }) => {
      await many(ask, 8);
      const made = site.connections();
      await many(ask, 8);
      assert.equal(site.connections(), made);
      assert.equal(site.asked.length, 16);
    }));

  it('shows headers as they came, repeated ones too, and none of its own', () =>
    meet(
      {
        listener: (_, response) => {
          response.setHeader('set-cookie', ['a=1', 'b=2']);
          response.setHeader('X-Mixed', 'caf\xe9 ');
          response.sendDate = false;
          response.end();
        },
      },
      async ({ ask }) => {
        const { response } = await ask('/');
        assert.deepEqual(response?.headers, [
          ['set-cookie', 'a=1'],
          ['set-cookie', 'b=2'],
          ['x-mixed', 'caf\xe9'],
        ]);
      },
    ));

  it('sends the path as it is written, who we are, and the body with its length', () =>
    meet(
      {
        listener: (request, response) => {
          const { 'user-agent': agent, 'x-sortie-run': run, 'content-length': length, 'x-a': own } = request.headers;
          let body = '';
          request.on('data', (chunk) => {
            body += chunk;
          });
          request.on('end', () =>
            response.end(JSON.stringify([request.authority, request.url, agent, run, length, own, body])),
          );
        },
      },
      async ({ site, ask }) => {
        const { response } = await ask('/a/../b?c=%2e', { method: 'POST', body: '{}', headers: [['X-A', 'b']] });
        const { host } = new URL(site.url);
        const expected = [host, '/a/../b?c=%2e', 'Sortie-Test/1', 'run-1', '2', 'b', '{}'];
        assert.deepEqual(JSON.parse(String(response?.body)), expected);
      },
    ));

  it('leaves to HTTP/1.1 what is about it, or about who answers', () =>
    meet({}, async ({ site, ask }) => {
      await ask('/');
      await ask('/trace', { method: 'TRACE' });
      await ask('/host', { headers: [['Host', 'other.example']] });
      await ask('/odd\xe9');
      const { failure } = await ask('/trusted', { verifyTls: true });
      assert.equal(failure?.code, 'TLS');
      assert.deepEqual(
        site.asked.map((one) => one.replace(/.* /, '')),
        ['2.0', '1.1', '1.1', '1.1'].slice(0, site.asked.length),
      );
      assert.ok(site.asked.length >= 3);
    }));

  it('unpacks bodies, and cuts them without harm to others', () =>
    meet(
      {
        listener: (request, response) => {
          if (request.url === '/packed') response.setHeader('content-encoding', 'gzip');
          response.end(request.url === '/packed' ? zlib.gzipSync('packed') : Buffer.alloc(100_000, 'x'));
        },
      },
      async ({ site, ask }) => {
        await ask('/');
        const cut = await Promise.all(Array.from({ length: 40 }, () => ask('/large', { bodyBytes: 1_000 })));
        for (const { response, failure } of cut) {
          assert.deepEqual([response?.isCut, response?.body.length], [true, 1_000], failure?.message);
        }
        assert.equal((await ask('/packed')).response?.body.toString(), 'packed');
        assert.equal(site.connections(), 1);
      },
    ));

  it('waits when the server asks for fewer requests', () =>
    meet(
      {
        listener: (request, response) => {
          if (request.url === '/busy') response.writeHead(429, { 'retry-after': '1' });
          response.end();
        },
      },
      async ({ ask }) => {
        await ask('/busy');
        const startedAt = performance.now();
        await ask('/next');
        assert.ok(performance.now() - startedAt >= 950);
      },
    ));

  it('stops when requests or bytes are used up', async () => {
    const stops = (reason: string) => (error: unknown) => error instanceof StopSending && error.reason === reason;
    await meet({ sender: { limits: { requests: 5 } } }, async ({ site, ask }) => {
      for (let count = 0; count < 5; count++) await ask('/');
      await assert.rejects(ask('/'), stops('requests'));
      assert.equal(site.asked.length, 5);
    });
    const large: Http2Listener = (_, response) => void response.end(Buffer.alloc(100_000, 'x'));
    await meet({ listener: large, sender: { limits: { bytes: 150_000 } } }, async ({ ask }) => {
      await ask('/');
      await ask('/');
      await assert.rejects(ask('/'), stops('bytes'));
    });
  });

  it('asks those again that were under way when the connection broke, six at once at most, and never by HTTP/2', () => {
    let isBroken = false;
    const listener: Http2Listener = (request, response) => {
      if (request.httpVersion === '2.0' && isBroken) request.stream.session?.destroy();
      else setTimeout(() => response.end('hello'), 10);
    };
    return meet({ listener, sender: { limits: { atOnce: 6 } } }, async ({ site, ask }) => {
      await ask('/');
      isBroken = true;
      const exchanges = await many(ask, 30);
      assert.ok(exchanges.every(({ response }) => response?.body.toString() === 'hello'));
      assert.equal(site.asked.filter((one) => one.endsWith(' 1.1')).length, 30);
      assert.ok(site.connections() <= 1 + 6, `${site.connections()} connections`);
    });
  });

  it('ends what is under way when the sender is closed', () =>
    meet(
      { listener: (request, response) => void (request.url === '/' && response.end()) },
      async ({ site, sender, ask }) => {
        await ask('/');
        const waiting = ask('/never');
        while (site.asked.length < 2) await setImmediate();
        await sender.close();
        assert.equal((await waiting).failure?.code, 'TIMEOUT');
      },
    ));
});
