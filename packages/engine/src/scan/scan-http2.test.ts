import assert from 'node:assert/strict';
import { constants } from 'node:http2';
import { before, describe, it } from 'node:test';
import { testSender } from '@sortie/testing/engine/test-sender.ts';
import { type Http2Listener, startHttp2Site } from '@sortie/testing/targets/http2-site.ts';
import type { ScanResult } from '../protocol/scan-result.ts';
import { gather, judgeGathered, scanLimits } from './run-scan.ts';

const page = `<!doctype html><title>Hello</title><script src=/assets/app.js></script><script src=/assets/gone.js></script>
<form action=/login><input type=password name=p></form><a href=/docs/a.html>a</a>`;

const files: Record<string, string> = {
  '/': page,
  '/.git/config': '[core]\n\trepositoryformatversion = 0\n[remote "origin"]\n\turl = git@example.com:a/b.git\n',
  '/.git/HEAD': 'ref: refs/heads/main\n',
  '/.env': 'APP_KEY=base64:abcdefabcdef\nDB_PASSWORD=hunter2hunter2\n',
  '/assets/app.js': 'fetch("/api/graphql");\n//# sourceMappingURL=app.js.map',
  '/assets/app.js.map': JSON.stringify({ version: 3, sources: ['a.ts'], sourcesContent: ['let a'] }),
  '/assets/': '<title>Index of /assets/</title><h1>Index of /assets/</h1><a href="../">../</a>',
};

/** A site with many findings, some of which show in headers, in methods, and in how requests end. */
const faulty: Http2Listener = (request, response) => {
  const { pathname } = new URL(request.url, 'https://site.test');
  if (pathname === '/server-status' || pathname === '/phpinfo.php') {
    // Ends the request without a response, in the way of each HTTP version.
    if (request.httpVersion === '2.0') request.stream.close(constants.NGHTTP2_CANCEL);
    else request.socket.destroy();
    return;
  }
  const { origin } = request.headers;
  if (origin !== undefined) {
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Allow-Credentials', 'true');
  }
  response.setHeader('Server', 'Apache/2.4.1 (Unix) PHP/5.3.3');
  response.setHeader('X-Powered-By', 'PHP/5.3.3');
  response.setHeader('Set-Cookie', ['sessionid=abcdef0123456789; Path=/', 'theme=dark']);
  response.setHeader('Content-Security-Policy', "script-src 'unsafe-inline' *");
  response.setHeader('Allow', 'GET, PUT, TRACE');
  if (request.method === 'TRACE') {
    response.setHeader('Content-Type', 'message/http');
    response.end(`TRACE / HTTP/1.1\r\nx-sortie-echo: ${request.headers['x-sortie-echo']}\r\n\r\n`);
    return;
  }
  const body = files[pathname];
  response.setHeader('Content-Type', pathname === '/' || pathname.endsWith('s/') ? 'text/html' : 'text/plain');
  response.statusCode = body === undefined ? 404 : 200;
  response.end(body ?? 'Nothing here.');
};

async function scan(listener: Http2Listener, isHttp2Allowed: boolean) {
  const site = await startHttp2Site(listener);
  const sender = testSender({ verifyTls: false, isHttp2Allowed, limits: scanLimits });
  const result = judgeGathered(await gather(`${site.url}/`, { sender }));
  const requests = sender.requestsSent();
  await sender.close();
  await site.close();
  return { result, requests, asked: site.asked, port: site.port };
}

type Scanned = Awaited<ReturnType<typeof scan>>;

/** Removes what differs between scans: port, random tokens and timestamps. */
const withoutChance = ({ result, port }: Scanned): ScanResult =>
  JSON.parse(
    JSON.stringify(result)
      .replaceAll(String(port), '443')
      .replace(/\b[0-9a-f]{16}\b/g, 'chance')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'now'),
  );

describe('a site that speaks both versions of HTTP', () => {
  let shared: Scanned;
  let alone: Scanned;
  before(async () => {
    shared = await scan(faulty, true);
    alone = await scan(faulty, false);
  });

  it('is asked by HTTP/2, but for the one method that is about HTTP/1.1', () => {
    const others = shared.asked.filter((one) => !one.endsWith(' 2.0'));
    assert.deepEqual(others, ['TRACE / 1.1']);
    assert.ok(alone.asked.every((one) => one.endsWith(' 1.1')));
  });

  it('is judged alike by either: findings, score, and what was not run', () => {
    const [one, other] = [withoutChance(shared), withoutChance(alone)];
    assert.ok('findings' in one && one.findings.length > 10, JSON.stringify(one));
    assert.deepEqual(one, other);
    assert.ok(
      one.notRun?.some(({ reason }) => reason.includes('closed before a response')),
      JSON.stringify(one.notRun),
    );
  });

  it('is asked the same by either, and no more than a scan may ask', () => {
    const questions = ({ asked }: Scanned) =>
      new Set(asked.map((one) => one.replace(/ [\d.]+$/, '').replace(/\b[0-9a-f]{16}\b/g, 'chance')));
    assert.deepEqual([...questions(shared)].sort(), [...questions(alone)].sort());
    assert.ok(shared.requests <= alone.requests && alone.requests <= scanLimits.requests);
  });

  it('is left alone when it asks for that', async () => {
    const busy: Http2Listener = (request, response) => {
      const isFile = !/^\/(?:[0-9a-f]{16}|\.[0-9a-f]{16}\/.*)?$/.test(request.url);
      response.statusCode = isFile ? 429 : 200;
      if (isFile) response.setHeader('Retry-After', '0');
      response.end(isFile ? '' : '<!doctype html><title>Hello</title>');
    };
    const { asked } = await scan(busy, true);
    const refused = asked.filter((one) => /^(?:GET|POST) \/[^ ]/.test(one) && !/[0-9a-f]{16}/.test(one));
    assert.ok(refused.length <= 40, `${refused.length} requests`);
  });
});
