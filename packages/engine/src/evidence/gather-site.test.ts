import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { testSender } from '@sortie/testing/engine/test-sender.ts';
import { startWebServer } from '@sortie/testing/targets/target-servers.ts';
import type { Exchange, Headers, TargetRequest } from '../http/exchange/exchange.ts';
import { StopSending } from '../http/exchange/sender.ts';
import { followRedirects } from '../http/send/follow.ts';
import type { Artifacts } from './evidence.ts';
import { gatherSite } from './gather-site.ts';
import { isMissing } from './missing.ts';
import { gatherCors } from './probes/cors.ts';
import { gatherFiles } from './probes/files.ts';
import { gatherMethods } from './probes/methods.ts';
import { gatherPlainHttp } from './probes/plain-http.ts';

type Answerer = (request: IncomingMessage, response: ServerResponse) => void;

const probes = Array.from({ length: 40 }, (_, index) => ({ path: `/file-${index}` }));

/** Collects the artifacts of a site and records the requests it receives. */
async function gather(answer: Answerer, limits = {}) {
  const asked: string[] = [];
  const server = await startWebServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    request.resume();
    answer(request, response);
  });
  const sender = testSender({ limits: { atOnce: 6, totalMs: 1_000, ...limits } });
  const site = await gatherSite(sender, `${server.url}/`, probes);
  await Promise.all([sender.close(), server.close()]);
  assert.ok('mainPage' in site, 'it was not gathered');
  return { asked, site };
}

const missingIn = ({ files }: Artifacts) => Object.values(files).filter(isMissing).length;

describe('what is gathered of a site', () => {
  it('is asked for once each, and is plain JSON', async () => {
    const { asked, site } = await gather((_, response) => response.end('hello'));
    // The page, two missing paths, three CORS requests, two methods, two common API paths.
    assert.equal(asked.length, 1 + 2 + 3 + 2 + 2 + probes.length);
    assert.deepEqual(JSON.parse(JSON.stringify(site)), site);
    assert.deepEqual([site.cors, site.methods, site.notFound, site.plainHttp].map(isMissing), [
      false,
      false,
      false,
      false,
    ]);
    assert.equal(missingIn(site), 0);
  });

  it('asks nothing that changes anything', async () => {
    const { asked } = await gather((_, response) => response.end('hello'));
    assert.deepEqual(new Set(asked.map((one) => one.split(' ')[0])), new Set(['GET', 'OPTIONS', 'TRACE']));
  });

  it('reads no more than 64 kB of a file, and follows no redirect of it', async () => {
    const { asked, site } = await gather((request, response) => {
      if (request.url === '/file-1') response.writeHead(302, { location: '/elsewhere' }).end();
      else response.end(request.url === '/' ? 'hello' : Buffer.alloc(1_000_000, 'x'));
    });
    const [first, second] = [site.files['GET /file-0'], site.files['GET /file-1']];
    assert.ok(first && second && !isMissing(first) && !isMissing(second));
    assert.deepEqual([first.body.length, second.status], [65_536, 302]);
    assert.ok(!asked.includes('GET /elsewhere'));
  });

  it('looks into the folders of a few files that the page names, and of its own only', async () => {
    const page = ['a/1.js', '/b/2.css', '/b/3.css', '/4.js', '//other.example/c/5.js', 'd/6.js', 'e/7.js', 'http://[']
      .map((link) => `<script src="${link}">`)
      .join('');
    const { asked, site } = await gather((_, response) => response.end(page));
    assert.deepEqual(asked.filter((one) => one.endsWith('/') && one !== 'GET /' && !/OPTIONS|TRACE/.test(one)).sort(), [
      'GET /a/',
      'GET /b/',
      'GET /d/',
    ]);
    assert.ok(!isMissing(site.directories) && site.directories.length === 3);
  });

  it('stops as soon as the site asks for fewer requests', async () => {
    const { asked, site } = await gather((request, response) => {
      if (request.url?.startsWith('/file')) response.writeHead(429, { 'retry-after': '0' });
      response.end('hello');
    });
    assert.ok(asked.filter((one) => one.includes('/file')).length <= 6, `${asked.length} requests`);
    assert.equal(missingIn(site), probes.length);
  });

  it('stops after a few answers in a row that the site is busy', async () => {
    const { asked } = await gather((request, response) => {
      if (request.url?.startsWith('/file')) response.writeHead(503, { 'retry-after': '0' });
      response.end('hello');
    });
    assert.ok(asked.filter((one) => one.includes('/file')).length <= 3 + 5, `${asked.length} requests`);
  });

  it('asks for no file where a challenge answers for what is not there', async () => {
    const { asked, site } = await gather((request, response) => {
      if (request.url !== '/') response.writeHead(403, { 'cf-mitigated': 'challenge' });
      response.end('hello');
    });
    assert.equal(asked.filter((one) => one.includes('/file')).length, 0);
    assert.ok(isMissing(site.notFound));
    assert.equal(missingIn(site), probes.length);
  });

  it('goes on without what does not come in time', async () => {
    const { site } = await gather((request, response) => {
      if (request.method === 'GET' && request.url !== '/file-3') response.end('hello');
    });
    assert.ok(isMissing(site.methods) && isMissing(site.cors));
    assert.equal(missingIn(site), 1);
  });

  it('ends when the requests are used up, and says what is missing', async () => {
    const { asked, site } = await gather((_, response) => response.end('hello'), { requests: 20 });
    assert.equal(asked.length, 20);
    assert.equal(missingIn(site) + site.apiSurfaces.filter(isMissing).length, 8 + 2 + probes.length - 20);
  });
});

describe('the site by plain http', () => {
  const exchange = (url: string, status: number): Exchange => ({
    request: { method: 'GET', url, purpose: 'look' },
    response: { status, headers: [], body: Buffer.alloc(0), isCut: false },
    failure: null,
    remote: null,
    firstByteMs: 0,
    durationMs: 0,
  });
  const failing = (code: 'UNREACHABLE' | 'REFUSED' | 'TIMEOUT'): Exchange => ({
    ...exchange('http://a.example/', 0),
    response: null,
    failure: { code, message: code },
  });
  const gatherBy = (url: string, ...exchanges: Exchange[]) => {
    const asked: TargetRequest[] = [];
    const follow = async (request: TargetRequest) => {
      asked.push(request);
      return exchanges;
    };
    return gatherPlainHttp({ follow }, { hops: [{ url, status: 200, headers: [] }] }).then((plainHttp) => ({
      plainHttp,
      asked,
    }));
  };

  it('is the same page on port 80, with its redirects', async () => {
    const hops = [exchange('http://a.example/b?c', 301), exchange('https://a.example/b?c', 200)];
    const { plainHttp, asked } = await gatherBy('https://a.example/b?c', ...hops);
    assert.equal(asked[0]?.url, 'http://a.example/b?c');
    assert.ok(!isMissing(plainHttp));
    assert.deepEqual(
      plainHttp.hops.map(({ status }) => status),
      [301, 200],
    );
  });

  it('is closed where nobody answers, and is not known where nobody may ask', async () => {
    for (const code of ['UNREACHABLE', 'TIMEOUT'] as const) {
      assert.deepEqual((await gatherBy('https://a.example/', failing(code))).plainHttp, { hops: [] });
    }
    assert.ok(isMissing((await gatherBy('https://a.example/', failing('REFUSED'))).plainHttp));
    assert.ok(isMissing((await gatherBy('https://a.example/', exchange('http://a.example/', 429))).plainHttp));
  });

  it('is not asked for beside a port of its own, nor when it was scanned itself', async () => {
    const own = await gatherBy('https://a.example:8443/');
    assert.ok(isMissing(own.plainHttp) && own.asked.length === 0);
    const scanned = await gatherBy('http://a.example:8080/');
    assert.ok(!isMissing(scanned.plainHttp) && scanned.asked.length === 0);
  });
});

describe('a site without https', () => {
  /** The site fails over HTTPS with this code and responds over HTTP. */
  const gatherFrom = (url: string, code: 'UNREACHABLE' | 'TLS' | 'TIMEOUT', headers: Headers = [], status = 200) => {
    const send = async (request: TargetRequest): Promise<Exchange> => {
      const isPlain = request.url.startsWith('http:');
      const response = isPlain ? { status, headers, body: Buffer.from('hello'), isCut: false } : null;
      const failure = isPlain ? null : { code, message: code };
      return { request, response, failure, remote: null, firstByteMs: 0, durationMs: 0 };
    };
    const follow = (request: TargetRequest, maxHops = 5) => followRedirects(request, maxHops, send, undefined);
    const openSocket = async () => ({ value: null, failure: { code, message: code }, remote: null });
    return gatherSite({ send, follow, openSocket, sharesConnection: () => false }, url, []);
  };

  for (const code of ['UNREACHABLE', 'TLS'] as const) {
    it(`is judged by what it shows by plain http, after ${code}`, async () => {
      const site = await gatherFrom('https://a.example/b', code);
      assert.ok('mainPage' in site);
      assert.equal(site.mainPage.hops[0]?.url, 'http://a.example/b');
      assert.deepEqual(site.plainHttp, { hops: site.mainPage.hops });
    });
  }

  it('is not judged when it may only hide, is on a port of its own, or leads to https after all', async () => {
    const location = [['location', 'https://a.example/']] as const;
    for (const [site, code] of [
      [await gatherFrom('https://a.example/', 'TIMEOUT'), 'TARGET_TIMEOUT'],
      [await gatherFrom('https://a.example:8443/', 'TLS'), 'TLS_FAILED'],
      [await gatherFrom('https://a.example/', 'TLS', location, 301), 'TLS_FAILED'],
    ] as const) {
      assert.ok('code' in site && site.code === code);
    }
  });
});

describe('a sender that has had enough', () => {
  const sharesConnection = () => false;
  const stopped = { send: () => Promise.reject(new StopSending('time', 'Enough.')), sharesConnection };
  const broken = { send: () => Promise.reject(new TypeError('ours')), sharesConnection };

  it('leaves everything missing, with its reason', async () => {
    for (const gathered of [gatherCors(stopped, 'https://a.example/'), gatherMethods(stopped, 'https://a.example/')]) {
      assert.deepEqual(await gathered, { missing: 'Enough.' });
    }
    const files = await gatherFiles(stopped, 'https://a.example', [{ path: '/a' }], []);
    assert.deepEqual(files, { 'GET /a': { missing: 'Enough.' } });
  });

  it('does not hide a fault of our own', async () => {
    await assert.rejects(gatherCors(broken, 'https://a.example/'), /ours/);
  });
});
