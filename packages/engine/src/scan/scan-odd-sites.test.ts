import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { testSender } from '@sortie/testing/engine/test-sender.ts';
import { startBareServer, startWebServer, type TargetServer } from '@sortie/testing/targets/target-servers.ts';
import { ScanResult } from '../protocol/scan-result.ts';
import { runScan, scanLimits } from './run-scan.ts';

interface Seen {
  result: ScanResult;
  /** Number of requests that the sender sent. */
  sent: number;
  elapsed: number;
}

async function scanServer(server: TargetServer, limits = {}, scheme = 'http'): Promise<Seen> {
  const sender = testSender({ limits: { ...scanLimits, ...limits } });
  const url = `${scheme}://127.0.0.1:${server.port}/`;
  const network = { allowAddresses: ['127.0.0.0/8'], resolvers: [], userAgent: 'Sortie test' };
  const order = { type: 'scan', scanId: 'scn_1', url, attempt: 1, script: null, network, optedOut: [] } as const;
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

/** One text with everything that any signature looks for. */
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

  it('is an app that has its page for scripts, source maps and APIs, too: none of them is found', async () => {
    const page = `<!doctype html><title>App</title><script src="/a.js"></script>
      <script>api="/v2/graphql";docs="/docs/swagger.json"//# sourceMappingURL=/a.js.map</script><p>${EVERYTHING}</p>`;
    for (const type of ['text/html', 'text/javascript', 'application/json']) {
      const seen = await scanSite((request, response) =>
        response.writeHead(200, { ...GOOD, 'content-type': request.url === '/' ? 'text/html' : type }).end(page),
      );
      const found = judged(seen).findings.map(({ checkId }) => checkId);
      const wrong = /^(source-map-exposed|exposed-|graphql-|jwks|source-code|secret-)/;
      assert.deepEqual(
        found.filter((id) => wrong.test(id)),
        [],
        type,
      );
    }
  });

  it('is one whose scripts show what they should not', async () => {
    const files = new Map([
      ['/', `${'<!doctype html>'}<script src="/app.js"></script>`],
      [
        '/app.js',
        `/*! jQuery v1.12.4 | (c) */ token="ghp_${'aZ3bY4cX5dW6'.repeat(3)}"\n//# sourceMappingURL=app.js.map`,
      ],
      ['/app.js.map', '{"version":3,"sources":["src/app.ts"],"sourcesContent":["x"]}'],
    ]);
    const seen = await scanSite((request, response) => {
      const type = request.url === '/' ? 'text/html' : 'text/javascript';
      const file = files.get(request.url ?? '');
      response.writeHead(file ? 200 : 404, { ...GOOD, 'content-type': type }).end(file);
    });
    const found = ofGroup(seen, 'content').map(({ checkId, severity }) => `${severity} ${checkId}`);
    assert.deepEqual(found, ['HIGH secret-in-page', 'MEDIUM js-library-vulnerable', 'LOW source-map-exposed']);
    assert.doesNotMatch(JSON.stringify(seen.result), /aZ3bY4cX5dW6aZ3b/);
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
  it('keeps to its requests on a page that brings along more than it may load, and says so', async () => {
    const scripts = Array.from(
      { length: 60 },
      (_, index) => `<script src="/${index}.js"></script><img src="/d${index}/a">`,
    );
    for (const redirects of [0, 8]) {
      const seen = await scanSite((request, response) => {
        const step = Number(/^\/(?:step-(\d))?$/.exec(request.url ?? '')?.[1] ?? (request.url === '/' ? 0 : 99));
        if (step < redirects) return response.writeHead(302, { location: `/step-${step + 1}` }).end();
        const isScript = request.url?.endsWith('.js') ?? false;
        const type = isScript ? 'text/javascript' : 'text/html';
        response.writeHead(isScript || step <= redirects ? 200 : 404, { ...GOOD, 'content-type': type });
        return response.end(isScript ? `//# sourceMappingURL=${request.url}.map` : `${scripts.join('')}`);
      });
      const reasons = judged(seen).notRun?.map(({ reason }) => reason) ?? [];
      console.log(`a scan of a full page after ${redirects} redirects took ${seen.sent} requests`);
      assert.ok(seen.sent <= scanLimits.requests && seen.sent > 100, `${seen.sent} requests`);
      assert.ok(!reasons.some((reason) => reason.includes('used up')), reasons.join('\n'));
      assert.ok(reasons.some((reason) => /60 first-party scripts; the scan read \d+ of them/.test(reason)));
    }
  });

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
    const missing = judged(seen).notRun?.filter(({ reason }) => !reason.startsWith('Already explained by '));
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
