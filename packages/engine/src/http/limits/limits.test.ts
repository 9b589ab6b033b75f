import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { skippingClock } from '@sortie/testing/engine/skipping-clock.ts';
import { testSender } from '@sortie/testing/engine/test-sender.ts';
import { startBareServer, startWebServer, type TargetServer } from '@sortie/testing/targets/target-servers.ts';
import { isExcludedBy } from '../../target/exclusions.ts';
import type { Sender } from '../exchange/sender.ts';
import { StopSending } from '../exchange/sender.ts';

let server: TargetServer;
let arrivals: string[];
let atOnce: number;
let mostAtOnce: number;
let status: number;
let retryAfter: string | undefined;

before(async () => {
  server = await startWebServer((request, response) => {
    arrivals.push(request.url ?? '');
    mostAtOnce = Math.max(mostAtOnce, ++atOnce);
    if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter);
    response.statusCode = status;
    const answer = () => {
      atOnce--;
      response.end('x'.repeat(1_000));
    };
    if (request.url === '/slow') setTimeout(answer, 60);
    else answer();
  });
});
after(() => server.close());
beforeEach(() => {
  arrivals = [];
  atOnce = 0;
  mostAtOnce = 0;
  status = 200;
  retryAfter = undefined;
});

const ask = (sender: Sender, path = '/') =>
  sender.send({ method: 'GET', url: `${server.url}${path}`, purpose: 'test' });
const stops = (reason: StopSending['reason']) => (error: unknown) =>
  error instanceof StopSending && error.reason === reason;
const anywhere = () => undefined;

/** What the throttle may make up after a late timer, and so after the first request. */
const CATCH_UP_MS = 20;

describe('the throttle', () => {
  it('lets out no more per second than it may', async () => {
    const clock = skippingClock();
    const sender = testSender({ scope: anywhere, limits: { perSecond: 20 }, clock });
    await Promise.all(Array.from({ length: 12 }, () => ask(sender)));
    assert.equal(arrivals.length, 12);
    assert.equal(clock.passed(), 11 * 50 - CATCH_UP_MS);
    await sender.close();
  });

  it('holds a rate that several origins share, and leaves others at their own', async () => {
    const key = {};
    const rateOf = (origin: string) => (origin.includes('limited') ? { key, perSecond: 20 } : undefined);
    const lookUp = { addresses: async () => ['127.0.0.1'], texts: async () => [], aliases: async () => [] };
    const clock = skippingClock();
    const sender = testSender({ scope: anywhere, rateOf, lookUp, clock });
    const names = Array.from({ length: 8 }, (_, index) => `limited${index % 2}.test`);
    await Promise.all(
      names.map((name) => sender.send({ method: 'GET', url: `http://${name}:${server.port}/`, purpose: 'test' })),
    );
    assert.equal(arrivals.length, names.length);
    assert.equal(clock.passed(), 7 * 50 - CATCH_UP_MS);
    assert.equal((await ask(sender)).response?.status, 200);
    assert.equal(clock.passed(), 7 * 50 - CATCH_UP_MS);
    await sender.close();
  });

  it('lets out no more at once than it may', async () => {
    const sender = testSender({ scope: anywhere, limits: { atOnce: 3 } });
    await Promise.all(Array.from({ length: 12 }, () => ask(sender, '/slow')));
    assert.equal(mostAtOnce, 3);
    assert.equal(arrivals.length, 12);
    await sender.close();
  });

  for (const refusal of [429, 503]) {
    it(`waits and slows down after ${refusal}`, async () => {
      const clock = skippingClock();
      const sender = testSender({ scope: anywhere, limits: { perSecond: 20, atOnce: 1 }, clock });
      [status, retryAfter] = [refusal, '1'];
      await ask(sender);
      [status, retryAfter] = [200, undefined];
      await ask(sender);
      assert.equal(clock.passed(), 1_000);
      for (let count = 0; count < 3; count++) await ask(sender);
      assert.equal(clock.passed(), 1_000 + 3 * 100, 'half the rate');
      await sender.close();
    });
  }

  it('slows down for one origin, not for the others', async () => {
    const other = await startWebServer((_, response) => response.end());
    const clock = skippingClock();
    const sender = testSender({ scope: anywhere, clock });
    [status, retryAfter] = [429, '30'];
    await ask(sender);
    await sender.send({ method: 'GET', url: other.url, purpose: 'test' });
    assert.equal(clock.passed(), 0);
    await ask(sender);
    assert.equal(clock.passed(), 30_000);
    await sender.close();
    await other.close();
  });
});

describe('the budget', () => {
  it('stops after so many requests, also when they are sent at once', async () => {
    const sender = testSender({ scope: anywhere, limits: { requests: 5, atOnce: 4 } });
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => ask(sender)));
    assert.equal(results.filter((result) => result.status === 'fulfilled').length, 5);
    assert.equal(arrivals.length, 5);
    assert.equal(sender.requestsSent(), 5);
    await assert.rejects(ask(sender), stops('requests'));
    await assert.rejects(
      sender.sendRaw({ host: '127.0.0.1', port: 1, tls: false, bytes: Buffer.from('x'), purpose: 'test' }),
      stops('requests'),
    );
    await sender.close();
  });

  it('does not count what was refused', async () => {
    const sender = testSender({
      scope: (url) => (url.pathname === '/no' ? 'No.' : undefined),
      limits: { requests: 1 },
    });
    for (let count = 0; count < 3; count++) assert.equal((await ask(sender, '/no')).failure?.message, 'No.');
    assert.equal(sender.requestsSent(), 0);
    assert.equal((await ask(sender)).response?.status, 200);
    await sender.close();
  });

  it('does not count what could not be sent', async () => {
    const sender = testSender({ scope: anywhere, limits: { requests: 1 } });
    const request = { method: 'GET', url: server.url, purpose: 'test', headers: [['X-A', 'b\nc']] } as const;
    for (let count = 0; count < 3; count++) assert.equal((await sender.send(request)).failure?.code, 'PROTOCOL');
    assert.equal((await ask(sender)).response?.status, 200);
    await sender.close();
  });

  it('does not let a header ask for another path than the URL does', async () => {
    const sender = testSender({ scope: (_, __, path) => (path === '/no' ? 'No.' : undefined) });
    for (const name of ['X-Original-URL', 'x-rewrite-url', 'X-Forwarded-Uri']) {
      const request = { method: 'GET', url: server.url, purpose: 'test', headers: [[name, '/no']] } as const;
      assert.equal((await sender.send(request)).failure?.code, 'REFUSED');
    }
    assert.equal(arrivals.length, 0);
    await sender.close();
  });

  it('does not let the body or a header ask for what is excluded', async () => {
    const excluded = ['DELETE /', '/?action=delete'];
    const sender = testSender({
      scope: (_, __, path = '/', method = 'GET') => (isExcludedBy({ path, method }, excluded) ? 'No.' : undefined),
    });
    const form = [['Content-Type', 'application/x-www-form-urlencoded']] as const;
    const json = [['Content-Type', 'application/json']] as const;
    const parts = '--b\r\nContent-Disposition: form-data; name="action"\r\n\r\ndelete\r\n--b--\r\n';
    const requests = [
      { headers: form, body: 'id=7&_method=delete' },
      { headers: form, body: 'action=delete&id=7' },
      { headers: json, body: '{"action":"delete"}' },
      { headers: [['Content-Type', 'multipart/form-data; boundary=b']] as const, body: parts },
      { headers: [['X-HTTP-Method-Override', 'DELETE']] as const },
    ];
    for (const request of requests) {
      const sent = await sender.send({ method: 'POST', url: server.url, purpose: 'test', ...request });
      assert.equal(sent.failure?.code, 'REFUSED', JSON.stringify(request));
    }
    assert.equal(arrivals.length, 0);
    const other = await sender.send({
      method: 'POST',
      url: server.url,
      purpose: 'test',
      headers: form,
      body: 'action=show',
    });
    assert.equal(other.response?.status, 200);
    await sender.close();
  });

  it('stops after so many bytes', async () => {
    const sender = testSender({ scope: anywhere, limits: { bytes: 3_000 } });
    await assert.rejects(async () => {
      for (let count = 0; count < 5; count++) await ask(sender);
    }, stops('bytes'));
    assert.ok(arrivals.length >= 2 && arrivals.length <= 3, `${arrivals.length} requests`);
    await sender.close();
  });

  it('stops when its time is up, waiting requests included', async () => {
    const clock = skippingClock();
    const sender = testSender({ scope: anywhere, limits: { untilMs: 700, perSecond: 2, atOnce: 1 }, clock });
    const results = await Promise.allSettled([ask(sender), ask(sender), ask(sender)]);
    assert.equal(clock.passed(), 700, 'the third would have had its turn later');
    assert.deepEqual(
      results.map((result) => result.status),
      ['fulfilled', 'fulfilled', 'rejected'],
    );
    assert.ok(results[2]?.status === 'rejected' && stops('time')(results[2].reason));
    await sender.close();
  });

  it('cuts short what is under way when its time is up', async () => {
    const silent = await startBareServer(() => {});
    const sender = testSender({ scope: anywhere, limits: { untilMs: 50, totalMs: 600_000 } });
    const { failure } = await sender.send({ method: 'GET', url: silent.url, purpose: 'test' });
    assert.equal(failure?.code, 'TIMEOUT');
    await sender.close();
    await silent.close();
  });

  it('stops outside of the allowed time window', async () => {
    let isOpen = true;
    const sender = testSender({ scope: anywhere, isWithinWindow: () => isOpen });
    assert.equal((await ask(sender)).response?.status, 200);
    isOpen = false;
    await assert.rejects(ask(sender), stops('window'));
    isOpen = true;
    await assert.rejects(ask(sender), stops('window'));
    await sender.close();
  });

  it('stops when what is tested cannot be reached ten times in a row', async () => {
    const gone = await startBareServer(() => {});
    await gone.close();
    const sender = testSender({ scope: anywhere });
    const send = (purpose: 'test' | 'load') => sender.send({ method: 'GET', url: gone.url, purpose });
    for (let count = 0; count < 15; count++) assert.equal((await send('load')).failure?.code, 'UNREACHABLE');
    for (let count = 0; count < 9; count++) assert.equal((await send('test')).failure?.code, 'UNREACHABLE');
    assert.equal((await ask(sender)).response?.status, 200);
    assert.equal((await send('test')).failure?.code, 'UNREACHABLE');
    await assert.rejects(send('test'), stops('unreachable'));
    await sender.close();
  });

  it('gives a request less time when it asks for less', async () => {
    const silent = await startBareServer(() => {});
    const sender = testSender({ scope: anywhere, limits: { totalMs: 600_000 } });
    const { failure } = await sender.send({ method: 'GET', url: silent.url, purpose: 'test', totalMs: 50 });
    assert.equal(failure?.code, 'TIMEOUT');
    await sender.close();
    await silent.close();
  });

  it('lets nothing out once it is closed', async () => {
    const sender = testSender({ scope: anywhere, limits: { perSecond: 1, atOnce: 1 } });
    const asked = [ask(sender), ask(sender)];
    await asked[0];
    await sender.close();
    await assert.rejects(asked[1] as Promise<unknown>, StopSending);
    await assert.rejects(ask(sender), StopSending);
    assert.equal(arrivals.length, 1);
  });
});
