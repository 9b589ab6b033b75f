import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readWrittenUrl } from '../http/exchange/written-url.ts';
import { createScanScope, createTestScope, type Purpose } from './scope.ts';

const scope = createTestScope({
  coveredName: 'shop.example',
  coveredOrigin: null,
  excludedPaths: ['/admin', '/api/v1/orders/', '/caf%C3%A9', '/a b'],
  tokenUrls: ['https://login.example/oauth/token'],
});

function judge(text: string, purpose: Purpose = 'test', by = scope): string | undefined {
  const written = readWrittenUrl(text);
  return written ? by(written.url, purpose, written.path) : 'This is not a plain URL.';
}
const allowed = (text: string, purpose?: Purpose) => assert.equal(judge(text, purpose), undefined, text);
const refused = (text: string, purpose?: Purpose) => assert.ok(judge(text, purpose), text);

describe('what a test may contact', () => {
  for (const url of [
    'https://shop.example/',
    'http://SHOP.example:8080/x',
    'https://a.b.shop.example/',
    'https://shop.example./',
  ]) {
    it(`is ${url}`, () => allowed(url));
  }
  for (const url of [
    'https://example/',
    'https://myshop.example/',
    'https://shop.example.evil.test/',
    'https://shop.example@evil.test/',
    'https://evil.test\\.shop.example/',
    'https://shop.example..evil.test/',
    'https://shop.example../',
    'https://login.example/oauth/token',
    'ftp://shop.example/',
    'https://[::1]/',
  ]) {
    it(`is not ${url}`, () => refused(url));
  }

  it('is one origin when the verification covers no more', () => {
    const one = createTestScope({
      coveredName: null,
      coveredOrigin: 'https://shop.example:8443',
      excludedPaths: [],
      tokenUrls: [],
    });
    assert.equal(judge('https://shop.example:8443/x', 'test', one), undefined);
    for (const url of ['https://shop.example/', 'http://shop.example:8443/', 'https://a.shop.example:8443/']) {
      assert.ok(judge(url, 'test', one), url);
    }
  });

  it('is nothing below an address that ends like the covered one', () => {
    const address = createTestScope({ coveredName: '0.0.1', coveredOrigin: null, excludedPaths: [], tokenUrls: [] });
    assert.ok(judge('http://127.0.0.1/', 'test', address));
  });
});

const TRICKS = [
  '/Admin',
  '/admin',
  '/admin/',
  '/admin/users',
  '/admin?x',
  '/admin#x',
  '/admin;x=1/users',
  '/%61dmin',
  '/%61%64%6D%69%6e/x',
  '/%2561dmin',
  '/%252561dmin',
  '//admin',
  '///admin//x',
  '/./admin',
  '/.//admin',
  '/x/../admin',
  '/x/%2e%2e/admin',
  '/x/%2E./admin',
  '/x/..%2fadmin',
  '/x%2f..%2fadmin',
  '/admin/../x',
  '/admin/%2e%2e/x',
  '/admin%2f..%2fx',
  '/%2fadmin',
  '/%5cadmin',
  '/x\\..\\admin',
  '/admin%3fx',
  '/admin%23x',
  '/x;a=b/../admin',
  '/../../admin',
  '/api/v1/orders',
  '/api/v1/orders/7',
  '/api//v1/./orders',
  '/api/v2/../v1/orders',
  '/café',
  '/caf%c3%a9/menu',
  '/a%20b',
  '/a b',
];

describe('an excluded path with a method or a query', () => {
  const rules = ['POST /orders', '/index.php?action=logout&Mode', 'GET /cart?clear=1'];
  const narrow = createTestScope({
    coveredName: 'shop.example',
    coveredOrigin: null,
    excludedPaths: rules,
    tokenUrls: [],
  });
  const judged = (path: string, method?: string) => {
    const written = readWrittenUrl(`https://shop.example${path}`);
    return narrow(written?.url ?? new URL('x:'), 'test', written?.path, method);
  };
  for (const [method, path] of [
    ['POST', '/orders'],
    ['post', '/orders/7?x=1'],
    ['ANY', '/orders'],
    ['GET', '/index.php?mode=1&action=logout'],
    ['POST', '/index.php?ACTION=Logout&mode'],
    ['GET', '/index.php?a=b;action=log%6Fut;mode='],
    ['GET', '/x/../index.php?action=log%256Fut&mode=7'],
    ['HEAD', '/cart?clear=1'],
  ] as const) {
    it(`excludes ${method} ${path}`, () => assert.ok(judged(path, method)));
  }
  for (const [method, path] of [
    ['GET', '/orders'],
    ['PUT', '/orders/7'],
    ['GET', '/index.php'],
    ['GET', '/index.php?action=logout'],
    ['GET', '/index.php?action=logouts&mode'],
    ['GET', '/other.php?action=logout&mode'],
    ['POST', '/cart?clear=1'],
    ['GET', '/cart?clear=2'],
  ] as const) {
    it(`does not exclude ${method} ${path}`, () => assert.equal(judged(path, method), undefined));
  }
});

describe('an excluded path', () => {
  for (const path of TRICKS) {
    it(`is excluded when it is written ${path}`, () => {
      refused(`https://shop.example${path}`);
      refused(`https://shop.example${path}`, 'load');
    });
  }
  for (const path of ['/', '/administration', '/x/admin', '/api/v1/order', '/api/v1', '/?path=/admin', '/caf']) {
    it(`is not ${path}`, () => allowed(`https://shop.example${path}`));
  }
  it('is excluded below the covered name on any host and port', () => refused('http://a.shop.example:81/admin'));
  it('is no matter on other hosts', () => allowed('https://cdn.example/admin', 'load'));
});

describe('the most specific target', () => {
  const open = { forbidden: null, excludedPaths: [], requestsPerSecond: null, windowMs: null };
  const target = (origin: string, coveredNames: string[], rules = {}) => ({
    ...open,
    origin,
    host: new URL(origin).hostname,
    coveredNames,
    ...rules,
  });
  const leftOut = new Set<string>();
  const ruled = createTestScope({
    coveredName: 'shop.example',
    coveredOrigin: null,
    excludedPaths: ['/of-the-run'],
    tokenUrls: [],
    targets: [
      target('https://shop.example', ['shop.example'], { excludedPaths: ['/parent'] }),
      target('https://off.shop.example', ['off.shop.example'], { forbidden: 'API runs are off for this target.' }),
      target('https://part.off.shop.example', ['part.off.shop.example']),
      target('http://one.off.shop.example:8080', []),
      target('https://closed.shop.example', [], { windowMs: 0 }),
      target('https://private.shop.example', [], { excludedPaths: ['/private'] }),
    ],
    onLeftOut: (note) => leftOut.add(note),
  });
  const isAllowed = (url: string, purpose: Purpose = 'test') => judge(url, purpose, ruled) === undefined;

  it('decides whether a URL may be tested, loads included', () => {
    for (const url of [
      'https://off.shop.example/',
      'http://off.shop.example:81/',
      'https://a.off.shop.example/x',
      'http://one.off.shop.example/',
      'https://closed.shop.example/',
    ]) {
      assert.equal(isAllowed(url), false, url);
      assert.equal(isAllowed(url, 'load'), false, url);
    }
    for (const url of [
      'https://shop.example/',
      'https://www.shop.example/',
      'https://part.off.shop.example/',
      'http://deeper.part.off.shop.example/',
      'http://one.off.shop.example:8080/',
      'http://closed.shop.example/',
    ]) {
      assert.ok(isAllowed(url), url);
    }
  });

  it('decides which paths are excluded', () => {
    assert.ok(!isAllowed('https://www.shop.example/parent'));
    assert.ok(!isAllowed('https://private.shop.example/x/../private/1'));
    assert.ok(isAllowed('https://private.shop.example/parent'));
    assert.ok(isAllowed('https://www.shop.example/private'));
  });

  it('says what it kept from being tested', () => {
    assert.ok(leftOut.has('https://off.shop.example was not tested: API runs are off for this target.'));
    assert.ok(leftOut.has('https://closed.shop.example was not tested: its testing window is closed.'));
    assert.ok(leftOut.has('Excluded paths of https://private.shop.example were not tested: /private.'));
    assert.equal([...leftOut].filter((note) => note.includes('part.off')).length, 0);
  });
});

describe('the other purposes', () => {
  it('let a page load from anywhere', () => allowed('https://cdn.example/x.js', 'load'));
  it('let a page load nothing but http and https', () => refused('ftp://cdn.example/x.js', 'load'));
  it('get tokens at the one endpoint only', () => {
    allowed('https://login.example/oauth/token?x=1', 'token');
    for (const url of ['https://login.example/oauth', 'http://login.example/oauth/token', 'https://shop.example/']) {
      refused(url, 'token');
    }
    refused('https://login.example/oauth/token/more', 'token');
  });
  it('look at any plain URL, and do nothing else', () => {
    const look = createScanScope();
    assert.equal(judge('http://anything.example:81/admin', 'look', look), undefined);
    assert.ok(judge('http://user@anything.example/', 'look', look));
    assert.ok(look(new URL('http://user:pass@anything.example/'), 'look'));
    assert.ok(judge('http://anything.example/', 'test', look));
  });
  it('look at no host that opted out, nor at one below it, however it is written', () => {
    const look = createScanScope(['unwanted.example', '192.0.2.7', '[2001:db8::1]']);
    for (const host of [
      'unwanted.example',
      'UNWANTED.example.',
      'a.b.unwanted.example:8443',
      '192.0.2.7',
      '0xc0000207',
    ]) {
      assert.match(judge(`https://${host}/`, 'look', look) ?? '', /has opted out of scans/);
    }
    assert.ok(judge('http://[2001:db8:0::1]/', 'look', look));
    for (const host of ['notunwanted.example', 'unwanted.example.other.example', 'example', '192.0.2.70']) {
      assert.equal(judge(`https://${host}/`, 'look', look), undefined);
    }
  });
});
