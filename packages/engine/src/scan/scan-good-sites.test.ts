import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { createSecureServer } from 'node:http2';
import { describe, it } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { startTestRange } from '@sortie/testing/engine/range.ts';
import { testSender } from '@sortie/testing/engine/test-sender.ts';
import { atUsualPorts } from '@sortie/testing/server/usual-ports.ts';
import { issue } from '@sortie/testing/targets/certificates.ts';
import { startDnsServer } from '@sortie/testing/targets/dns-server.ts';
import { answersFrom, type Zone } from '@sortie/testing/targets/dns-zone.ts';
import { listenAndCount, startWebServer } from '@sortie/testing/targets/target-servers.ts';
import { freePort, startNginx } from '@sortie/testing/targets/tls-programs.ts';
import { ScanResult } from '../protocol/scan-result.ts';
import { createDnsClient } from '../target/dns/client.ts';
import { runScan, type ScanTools, scanLimits } from './run-scan.ts';

const root = issue({ name: 'Test Root', isAuthority: true, to: 3_000 });
const middle = issue({ name: 'Test Authority', issuer: root, isAuthority: true, to: 900 });
const leaf = issue({ name: 'site.test', names: ['site.test', 'www.site.test'], issuer: middle, timestamps: 2 });
const site = { ...leaf, pem: leaf.pem + middle.pem };
setDefaultCACertificates([...getCACertificates('default'), root.pem]);

const SIGNED = ['site.test', 'www.site.test', '_dmarc.site.test', '_443._tcp.site.test', '_443._tcp.www.site.test'];
const lookUp = { addresses: async () => ['127.0.0.1'], texts: async () => [], aliases: async () => [] };
const network = { allowAddresses: [], resolvers: [], userAgent: 'Sortie test' };

const HEADERS = {
  'strict-transport-security': 'max-age=63072000; includeSubDomains; preload',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};
const PAGE = '<!doctype html><html lang=en><title>Hello</title><script src=/assets/app.js></script><h1>Hello</h1>';

/** A domain that neither sends nor receives mail, and prevents spoofing of its name. */
const domain: Zone = {
  // A single address per name: there is no other one to compare it with, so it is not contacted.
  'A site.test': ['203.0.115.10'],
  'A www.site.test': ['203.0.115.10'],
  'SOA .': ['x'],
  'SOA site.test': ['x'],
  'NS site.test': ['ns1.site.test', 'ns2.site.test'],
  'A ns1.site.test': ['203.0.115.53'],
  'A ns2.site.test': ['198.51.101.53'],
  'DS site.test': ['x'],
  'DNSKEY site.test': ['x'],
  'CAA site.test': ['0 issue ca.test'],
  'MX site.test': ['0 .'],
  'TXT site.test': ['v=spf1 -all'],
  'TXT _dmarc.site.test': ['v=DMARC1; p=reject'],
};

/** Scans the site as if it used the default ports of its name. */
const scanSite = (ports: { https: number; http: number }) =>
  scan('https://site.test/', (sender) => atUsualPorts(sender, ports));

async function scan(url: string, wrap = (sender: ScanTools['sender']) => sender): Promise<Judged> {
  await using cleanUp = new AsyncDisposableStack();
  const sender = testSender({ verifyTls: false, limits: scanLimits, lookUp });
  cleanUp.defer(() => sender.close());
  const order = { type: 'scan', scanId: 'scn_1', url, attempt: 1, script: null, network, optedOut: [] } as const;
  const names = await startDnsServer(answersFrom(domain, { signed: ['.', ...SIGNED] }));
  cleanUp.defer(() => names.close());
  const dns = createDnsClient([names.address]);
  const result = ScanResult.parse(await runScan(order, { sender: wrap(sender), dns }));
  assert.ok('findings' in result, JSON.stringify(result));
  return result;
}
type Judged = Extract<ScanResult, { score: number }>;

async function scanNginx(locations: string): Promise<Judged> {
  const http = await freePort();
  const settings = `
    listen 127.0.0.1:${http}; server_tokens off; charset utf-8; default_type text/html;
    ssl_protocols TLSv1.2 TLSv1.3; ssl_ciphers ECDHE+AESGCM;
    if ($scheme = http) { return 301 https://$host$request_uri; }
    ${Object.entries(HEADERS)
      .map(([name, value]) => `add_header ${name} "${value}" always;`)
      .join(' ')}`;
  await using server = await startNginx(site, `${settings} ${locations}`, 'ssl http2');
  return await scanSite({ https: server.port, http });
}

type App = (request: { url: string; method: string; headers: IncomingHttpHeaders }, answer: Answer) => void;
type Answer = (status: number, headers: OutgoingHttpHeaders, body?: string) => void;

async function scanApp(app: App): Promise<Judged> {
  const options = { key: site.keyPem, cert: site.pem, allowHTTP1: true, ciphers: 'ECDHE+AESGCM' };
  const secure = createSecureServer(options, ({ url = '', method = '', headers }, response) => {
    app({ url, method, headers }, (status, more, body = '') =>
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...HEADERS, ...more }).end(body),
    );
  });
  await using cleanUp = new AsyncDisposableStack();
  const https = await listenAndCount(secure);
  cleanUp.defer(() => https.close());
  const http = await startWebServer(({ url, headers }, response) =>
    response.writeHead(308, { location: `https://${headers.host}${url}` }).end(),
  );
  cleanUp.defer(() => http.close());
  return await scanSite({ https: https.port, http: http.port });
}

function assertGood({ grade, score, findings, notRun = [] }: Judged): void {
  assert.deepEqual(
    findings.filter(({ severity }) => severity !== 'INFO').map(({ checkId, evidence }) => [checkId, evidence]),
    [],
  );
  assert.deepEqual(notRun, []);
  assert.deepEqual([grade, score], ['A+', 100]);
}

const ofGroup = ({ findings }: Judged, group: string) =>
  findings.filter(({ category }) => category === group).map(({ checkId }) => checkId);

describe('a well-configured site', () => {
  it('behind nginx is graded A+ with nothing but remarks, and every check has run', async () => {
    assertGood(await scanNginx(`location = / { return 200 '${PAGE}'; } location / { return 404; }`));
  });

  it('that answers 200 to every path exposes nothing', async () => {
    const result = await scanNginx(`location / { return 200 '${PAGE}'; }`);
    assertGood(result);
    assert.deepEqual(ofGroup(result, 'exposure'), []);
  });

  it('that has sessions, and redirects its visitors by language', async () => {
    const policy = (nonce: string) =>
      `script-src 'nonce-${nonce}' 'strict-dynamic' 'unsafe-inline' https:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'; require-trusted-types-for 'script'`;
    assertGood(
      await scanApp(({ url }, answer) => {
        if (url === '/') return answer(302, { location: '/en/' });
        if (url === '/robots.txt')
          return answer(200, { 'content-type': 'text/plain' }, 'User-agent: *\nDisallow: /cart\n');
        if (url === '/admin' || url === '/graphql') return answer(302, { location: '/login' });
        if (url !== '/en/') return answer(404, {}, '<h1>Nothing here</h1>');
        const cookies = [
          '__Host-session=4f1d2a; Path=/; Secure; HttpOnly; SameSite=Lax',
          'XSRF-TOKEN=9b7c; Path=/; Secure; SameSite=Strict',
          'theme=dark; Path=/; Secure; SameSite=Lax; Max-Age=31536000',
          'old=; Path=/; Max-Age=0',
        ];
        answer(
          200,
          { 'content-security-policy': policy(randomBytes(16).toString('base64')), 'set-cookie': cookies },
          PAGE,
        );
      }),
    );
  });

  it('that is an API for everybody', async () => {
    assertGood(
      await scanApp(({ url, method }, answer) => {
        const json = { 'content-type': 'application/json', 'access-control-allow-origin': '*' };
        if (method === 'OPTIONS')
          return answer(204, { ...json, 'access-control-allow-methods': 'GET, PUT', allow: 'GET, HEAD' });
        if (url === '/') return answer(200, json, '{"hello":"world","_links":{}}');
        answer(404, json, '{"error":"no such thing"}');
      }),
    );
  });

  it('whose bare name leads to www', async () => {
    assertGood(
      await scanApp(({ url, headers }, answer) => {
        if (headers.host === 'site.test') return answer(301, { location: `https://www.site.test${url}` });
        answer(url === '/' ? 200 : 404, {}, PAGE);
      }),
    );
  });

  it('that is a blog with folders, users and sign-ins that are not for everybody', async () => {
    assertGood(
      await scanApp(({ url }, answer) => {
        if (url === '/')
          return answer(
            200,
            { vary: 'Accept-Encoding' },
            `${PAGE}<link href=/wp-content/themes/a/style.css><img src=/wp-content/uploads/a.png>`,
          );
        if (url.startsWith('/wp-json/'))
          return answer(401, { 'content-type': 'application/json' }, '{"code":"rest_not_logged_in"}');
        if (/^\/(wp-content|assets|\.|server-status)/.test(url)) return answer(403, {}, '<title>403 Forbidden</title>');
        answer(404, {}, `<h1>Not found</h1><p>${url.replace(/[<>&]/g, '')}</p>`);
      }),
    );
  });

  it('that refuses whatever is unusual', async () => {
    assertGood(
      await scanApp(({ url, method, headers }, answer) => {
        const isUsual = url === '/' && method === 'GET' && headers.origin === undefined;
        answer(isUsual ? 200 : 403, {}, isUsual ? PAGE : '<h1>Forbidden</h1>');
      }),
    );
  });
});

describe('a single-page application', () => {
  const catchAlls: Record<string, App> = {
    'that shows the path it was asked for': ({ url }, answer) =>
      answer(200, {}, `${PAGE}<p>${url.replace(/[<>&]/g, '')}`),
    'that has pages for names without a dot only': ({ url }, answer) =>
      /\.\w+$/.test(url) ? answer(404, {}) : answer(200, {}, PAGE),
    'that takes every name for the kind of file it ends with': ({ url }, answer) =>
      answer(200, { 'content-type': /\.(?:json|map)$/.test(url) ? 'application/json' : 'text/html' }, PAGE),
    'that answers with JSON': (_, answer) =>
      answer(200, { 'content-type': 'application/json' }, '{"data":null,"errors":[]}'),
    'that answers HEAD without looking': ({ url, method }, answer) =>
      method === 'HEAD'
        ? answer(200, { 'content-type': 'application/octet-stream' })
        : answer(url === '/' ? 200 : 404, {}, PAGE),
    'that leads everybody to its sign-in': ({ url }, answer) =>
      url.startsWith('/login') ? answer(200, {}, PAGE) : answer(302, { location: '/login' }),
  };
  for (const [name, app] of Object.entries(catchAlls)) {
    it(`${name} exposes nothing`, async () => assert.deepEqual(ofGroup(await scanApp(app), 'exposure'), []));
  }
});

describe('the pages of the range that were built without flaws', () => {
  it('fail in nothing but what they lack: headers, policies, flags of cookies, and https', async () => {
    const range = await startTestRange();
    const found = new Set<string>();
    for (const path of ['/catalogue?category=tents', '/find?q=tent', '/help-documents?file=returns.txt', '/login']) {
      const { findings } = await scan(`${range.origin}${path}`);
      for (const { category, checkId } of findings)
        found.add(/^(?:hygiene|content)$/.test(category) ? checkId : category);
    }
    await range.stop();
    assert.deepEqual([...found].sort(), ['cookies', 'csp', 'form-on-http-page', 'headers', 'http-redirect-missing']);
  });
});
