import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { startBareServer, startWebServer, type TargetServer } from '../../../test/support/target-servers.ts';
import { testSender } from '../../../test/support/test-sender.ts';
import { runScan, scanLimits } from './scan.ts';
import { ScanResult } from './scan-result.ts';

interface Seen {
  result: ScanResult;
  /** Requests of the sender. */
  sent: number;
  elapsed: number;
}

async function scanServer(server: TargetServer, limits = {}, scheme = 'http'): Promise<Seen> {
  const sender = testSender({ limits: { ...scanLimits, ...limits } });
  const url = `${scheme}://127.0.0.1:${server.port}/`;
  const network = { allowAddresses: ['127.0.0.0/8'], resolvers: [], userAgent: 'Sortie test' };
  const order = { type: 'scan', scanId: 'scn_1', url, attempt: 1, script: null, network } as const;
  const startedAt = performance.now();
  try {
    const result = ScanResult.parse(await runScan(order, { sender }));
    return { result, sent: sender.requestsSent(), elapsed: performance.now() - startedAt };
  } finally {
    await Promise.all([sender.close(), server.close()]);
  }
}

const scanSite = async (site: RequestListener, limits = {}) => scanServer(await startWebServer(site), limits);
const scanBare = async (onSocket: (socket: Socket) => void, limits = {}, scheme = 'http') =>
  scanServer(await startBareServer(onSocket), limits, scheme);

const failureOf = ({ result }: Seen) => ('failure' in result ? result.failure.code : 'it was judged');

function judged({ result }: Seen) {
  assert.ok('findings' in result, `it was not judged: ${JSON.stringify(result)}`);
  return result;
}

const ofGroup = (seen: Seen, group: string) => judged(seen).findings.filter(({ category }) => category === group);
const GOOD = { 'content-type': 'text/html', 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' };

/** Everything that any signature might look for, in one text. */
const EVERYTHING = [
  'ref: refs/heads/main',
  'DB_PASSWORD=x',
  '-----BEGIN PRIVATE KEY-----',
  'CREATE TABLE users',
  '[core]',
  'aws_access_key_id = x',
  'services:',
  'adapter: mysql',
  '[2026-01-01 10:00:00] x',
  '# HELP up',
  '<title>phpinfo()</title>',
  'Active connections: 1',
  '"_links": {',
  '"openapi": "3.0.0"',
].join('\n');

describe('a site that cannot be judged', () => {
  it('is one that nobody is let into without proof of a human', async () => {
    const seen = await scanSite((_, response) => response.writeHead(403, { 'cf-mitigated': 'challenge' }).end('wait'));
    assert.deepEqual([failureOf(seen), seen.sent], ['TARGET_BLOCKED', 1]);
  });

  it('is one that has had too many requests', async () => {
    const seen = await scanSite((_, response) => response.writeHead(429).end());
    assert.deepEqual([failureOf(seen), seen.sent], ['TARGET_BLOCKED', 1]);
  });

  it('is one that shows its page and nothing else', async () => {
    const seen = await scanSite((request, response) => {
      const isPage = request.url === '/' && request.method === 'GET' && !request.headers.origin;
      response.writeHead(isPage ? 200 : 429, { ...GOOD, 'retry-after': '0' }).end('hello');
    });
    assert.equal(failureOf(seen), 'TARGET_BLOCKED');
  });

  it('is one that is down', async () => {
    assert.equal(failureOf(await scanBare((socket) => socket.destroy())), 'TARGET_UNREACHABLE');
    assert.equal(failureOf(await scanSite((_, response) => response.writeHead(502).end())), 'NOT_GATHERED');
  });

  it('is one that does not speak TLS where https was asked for', async () => {
    const seen = await scanBare((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), {}, 'https');
    assert.equal(failureOf(seen), 'TLS_FAILED');
  });

  it('is one that leads round and round, or on and on', async () => {
    const round: RequestListener = (request, response) =>
      response.writeHead(302, { location: request.url === '/' ? '/a' : '/' }).end();
    assert.equal(failureOf(await scanSite(round)), 'NOT_GATHERED');
    const on: RequestListener = (request, response) => response.writeHead(302, { location: `${request.url}a` }).end();
    const seen = await scanSite(on);
    assert.deepEqual([failureOf(seen), seen.sent], ['NOT_GATHERED', 11]);
  });

  it('is one that speaks no HTTP', async () => {
    assert.equal(failureOf(await scanBare((socket) => socket.end('220 mail.example ESMTP\r\n'))), 'NOT_GATHERED');
  });
});

describe('an odd site that can be judged', () => {
  it('is one that has a page for everything: no file of it is taken for exposed', async () => {
    for (const body of ['<!doctype html><title>App</title><div id="root">', EVERYTHING, `<html><pre>${EVERYTHING}`]) {
      for (const type of ['text/html', 'text/plain', 'application/octet-stream']) {
        const seen = await scanSite((_, response) =>
          response.writeHead(200, { ...GOOD, 'content-type': type }).end(body),
        );
        assert.deepEqual(
          ofGroup(seen, 'exposure').map(({ checkId }) => checkId),
          [],
        );
      }
    }
  });

  it('is one that has a page for everything and shows its secrets all the same', async () => {
    const seen = await scanSite((request, response) => {
      const isSecret = request.url === '/.env';
      response.writeHead(200, { ...GOOD, 'content-type': isSecret ? 'text/plain' : 'text/html' });
      response.end(isSecret ? 'APP_KEY=base64:hunter2\n' : '<!doctype html><div id=root>');
    });
    const [found, ...others] = ofGroup(seen, 'exposure');
    assert.deepEqual([found?.checkId, found?.severity, others.length], ['exposed-env', 'CRITICAL', 0]);
    assert.match(found?.affectedUrl ?? '', /\/\.env$/);
    assert.doesNotMatch(JSON.stringify(seen.result), /hunter2/);
    assert.ok(judged(seen).score <= 45);
  });

  it('is one that is no page', async () => {
    const seen = await scanSite((_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end('PNG'));
    const { findings, score } = judged(seen);
    assert.ok(!findings.some(({ checkId }) => checkId === 'clickjacking-unprotected'));
    assert.ok(score < 100);
  });

  it('is one that asks for a password on plain http, and that is found', async () => {
    const seen = await scanSite((_, response) =>
      response.writeHead(401, { ...GOOD, 'www-authenticate': 'Basic realm="staff"' }).end('<h1>Sign in</h1>'),
    );
    const found = judged(seen).findings.find(({ checkId }) => checkId === 'basic-auth-over-http');
    assert.deepEqual([found?.severity, found?.scoreImpact], ['HIGH', 25]);
    assert.deepEqual(ofGroup(seen, 'exposure'), []);
  });

  it('is one that forbids its page', async () => {
    judged(await scanSite((_, response) => response.writeHead(403, GOOD).end('<h1>Forbidden</h1>')));
  });

  it('is one that sends a body to HEAD and nothing to anybody else', async () => {
    judged(await scanSite((_, response) => response.writeHead(204).end()));
  });
});

describe('a scan', () => {
  it('keeps to its requests and to six at once, whatever the site does', async () => {
    let inside = 0;
    let most = 0;
    const seen = await scanSite((request, response) => {
      most = Math.max(most, ++inside);
      const steps = Number(/^\/step-(\d)$/.exec(request.url ?? '')?.[1] ?? (request.url === '/' ? 0 : 9));
      if (steps < 9) response.writeHead(302, { location: `/step-${steps + 1}` });
      else response.writeHead(request.url === '/step-9' ? 200 : 404, GOOD);
      setTimeout(() => {
        inside--;
        response.end('hello');
      }, 5);
    });
    const missing = judged(seen).notRun?.filter(({ reason }) => !reason.endsWith('explains it already.'));
    console.log(`a scan took ${seen.sent} requests and ${Math.round(seen.elapsed)} ms, ${most} at once`);
    assert.ok(seen.sent <= scanLimits.requests && most <= scanLimits.atOnce, `${seen.sent} requests, ${most} at once`);
    assert.deepEqual(missing, []);
  });

  it('ends with its time, on a site that answers nothing but its page', async () => {
    const seen = await scanSite(
      (request, response) => {
        if (request.url === '/' && request.method === 'GET' && !request.headers.origin) response.end('hello');
      },
      { untilMs: 1_500 },
    );
    assert.equal(failureOf(seen), 'TARGET_BLOCKED');
    assert.ok(seen.elapsed < 4_000, `${seen.elapsed} ms`);
  });

  it('does not wait longer than it lasts, whatever a server asks for', async () => {
    const seen = await scanSite(
      (request, response) => {
        const isPage = request.url === '/' && request.method === 'GET' && !request.headers.origin;
        response.writeHead(isPage ? 200 : 503, { ...GOOD, 'retry-after': '60' }).end('hello');
      },
      { untilMs: 1_500 },
    );
    assert.equal(failureOf(seen), 'TARGET_BLOCKED');
    assert.ok(seen.elapsed < 4_000 && seen.sent < 20, `${seen.elapsed} ms, ${seen.sent} requests`);
  });
});
