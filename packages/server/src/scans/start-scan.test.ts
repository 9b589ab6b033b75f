import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { endpoints } from '@sortie/contract';
import fc from 'fast-check';
import { AppError } from '../errors/app-error.ts';
import { readScanUrl } from './start-scan.ts';

const domainOf = (url: string) => readScanUrl(url).domain;

describe('the URL of a scan', () => {
  for (const url of [
    'https://www.example.com/',
    'http://example.com:8080/shop?tab=1#top',
    'https://example.com',
    'HTTPS://Example.COM/',
    'https://exämple.com/',
  ]) {
    it(`${url} is kept as it was sent`, () => assert.equal(readScanUrl(url).url, url));
  }

  for (const [domain, url] of Object.entries({
    'example.com': 'https://example.com/',
    'WWW.Example.com.': 'https://WWW.Example.com./',
    'exämple.com': 'https://exämple.com/',
    localhost: 'https://localhost/',
    '192.0.2.7': 'https://192.0.2.7/',
    http: 'https://http/',
    'https.example.com': 'https://https.example.com/',
  })) {
    it(`means ${url} when it is the bare domain ${domain}`, () => assert.equal(readScanUrl(domain).url, url));
  }

  for (const url of [
    'https://*.example.com/',
    'https://example.com../',
    'https://exa!mple.com/',
    'exa%20mple.com',
    `https://${'a.'.repeat(126)}bb/`,
    'https://user@example.com/',
    '',
  ]) {
    it(`is refused with the field url when it is ${JSON.stringify(url.slice(0, 40))}`, () => {
      assert.throws(
        () => readScanUrl(url),
        (error: unknown) => error instanceof AppError && error.code === 'VALIDATION_ERROR' && error.field === 'url',
      );
    });
  }
});

describe('the host of a scan', () => {
  for (const [url, host] of Object.entries({
    'HTTPS://WWW.Example.COM.:8443/': 'www.example.com',
    'https://www.exämple.com/': 'www.xn--exmple-cua.com',
    'http://0xc0.0.2.7/': '192.0.2.7',
    'http://[2001:DB8:0:0::1]:8080/': '[2001:db8::1]',
    'WWW.Example.COM': 'www.example.com',
  })) {
    it(`of ${url} is ${host}, as targets write it`, () => assert.equal(readScanUrl(url).host, host));
  }
});

describe('the domain of a scan', () => {
  for (const [url, domain] of Object.entries({
    'https://a.b.example.com/': 'example.com',
    'https://www.example.co.uk/': 'example.co.uk',
    'https://www.city.kawasaki.jp/': 'city.kawasaki.jp',
    'https://a.b.c.kawasaki.jp/': 'b.c.kawasaki.jp',
    'https://www.食狮.公司.cn/': 'xn--85x722f.xn--55qx5d.cn',
    'https://_service.example.com/': 'example.com',
    'https://www.service.test/': 'service.test',
  })) {
    it(`of ${url} is the registrable ${domain}`, () => assert.equal(domainOf(url), domain));
  }

  for (const [url, domain] of Object.entries({
    'https://foo.github.io/': 'foo.github.io',
    'https://a.b.foo.github.io/': 'foo.github.io',
    'https://shop.myshopify.com/': 'shop.myshopify.com',
  })) {
    it(`of ${url} is ${domain}, since everybody can have a name there`, () => assert.equal(domainOf(url), domain));
  }

  for (const [url, host] of Object.entries({
    'http://192.0.2.7:8080/': '192.0.2.7',
    'http://3221225991/': '192.0.2.7',
    'http://[2001:DB8::1]/': '[2001:db8::1]',
    'http://[::ffff:192.0.2.7]/': '[::ffff:c000:207]',
    'http://localhost/': 'localhost',
    'http://intranet/': 'intranet',
    'https://co.uk/': 'co.uk',
    'https://github.io/': 'github.io',
  })) {
    it(`of ${url}, which has none above it, is its host`, () => assert.equal(domainOf(url), host));
  }

  // Such names cannot be registered, but anyone can serve them below their own domain.
  for (const url of [
    'https://shop-.example.com/',
    'https://-shop.example.com/',
    `https://${'a'.repeat(64)}.example.com/`,
  ]) {
    it(`of ${url} is the registrable example.com`, () => assert.equal(domainOf(url), 'example.com'));
  }

  it('is always the host or a name above it', () => {
    const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,6}[a-z0-9])?$/).filter((text) => !/^..--/.test(text));
    const ending = fc.constantFrom('com', 'co.uk', 'github.io', 'kawasaki.jp', 'test', 'localhost');
    fc.assert(
      fc.property(fc.array(label, { maxLength: 4 }), ending, (labels, end) => {
        const name = [...labels, end].join('.');
        const { host, domain } = readScanUrl(name);
        assert.equal(host, name);
        assert.ok(host === domain || host.endsWith(`.${domain}`), `${host} ${domain}`);
      }),
    );
  });
});

describe('whatever the contract takes for a URL to scan', () => {
  const text = fc.oneof(
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.domain(),
    fc.string({ maxLength: 12 }).map((host) => `https://${host}/`),
    fc.string({ maxLength: 12 }),
  );

  it('is read, or refused with the field url: never an error of ours', () => {
    let read = 0;
    fc.assert(
      fc.property(text, (url) => {
        fc.pre(endpoints.startScan.body.safeParse({ url }).success);
        try {
          assert.notEqual(readScanUrl(url).host, '');
          read++;
        } catch (error) {
          assert.ok(error instanceof AppError && error.field === 'url', String(error));
        }
      }),
      { numRuns: 500 },
    );
    assert.ok(read > 100, `only ${read} were read`);
  });
});
