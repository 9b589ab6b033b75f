import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createDocumentValidator } from '@sortie/testing/http/document-validator.ts';
import fc from 'fast-check';
import { buildOpenApi } from './openapi.ts';
import { StartPentest } from './pentests.ts';
import { StartScan } from './scans.ts';

const path = (length: number) => 'a'.repeat(length - 'https://example.com/'.length);

const urls = {
  accepted: {
    'an http URL': 'http://example.com/',
    'an https URL': 'https://example.com/',
    'a URL without a path': 'https://example.com',
    'a scheme in capitals': 'HTTPS://Example.com/',
    'any port': 'http://example.com:8443/admin?tab=1',
    'an IPv4 address': 'http://192.0.2.7/',
    'an IPv6 address': 'http://[2001:db8::1]:8080/',
    'a name that ends with the root': 'https://example.com./',
    'an international name': 'https://exämple.com/',
    'an @ in the path': 'https://example.com/@user',
    'an @ in the query': 'https://example.com/?mail=a@b.example',
    '2,048 characters': `https://example.com/${path(2048)}`,
  },
  refused: {
    'no text at all': '',
    'another scheme': 'ftp://example.com/',
    'a scheme that runs code': 'javascript:alert(1)',
    'a URL without a scheme but with a path': 'example.com/login',
    'a URL without a host': 'https:///path',
    'a host with an empty part': 'https://www..example.com/',
    'a URL with one slash': 'https:/example.com/',
    'a host hidden behind a backslash': 'https:\\\\example.com',
    'a user name': 'https://user@example.com/',
    'a user name and a password': 'https://user:secret@example.com/',
    'an empty user name': 'https://@example.com/',
    'a user name behind a backslash': 'https://example.com\\@evil.example/',
    'a port that does not exist': 'https://example.com:99999/',
    'an address that is none': 'https://[::1',
    'a space': 'https://example.com/a b',
    'a space around it': ' https://example.com/',
    'a line break': 'https://example.com/\nX-Injected: 1',
    'a tab inside the scheme': 'ht\ttps://example.com/',
    'a NUL character': 'https://example.com/\0',
    '2,049 characters': `https://example.com/${path(2049)}`,
  },
};

/** Returns the paths of the issues; empty if the body is accepted. */
const scanIssues = (url: unknown) => StartScan.safeParse({ url }).error?.issues.map((issue) => issue.path) ?? [];
const pentestIssues = (targetUrl: unknown) =>
  StartPentest.safeParse({ targetUrl, verificationId: 'tgt_1' }).error?.issues.map((issue) => issue.path) ?? [];

describe('a URL to scan', () => {
  for (const [name, url] of Object.entries(urls.accepted)) {
    it(`may have ${name}`, () => assert.deepEqual(scanIssues(url), []));
  }
  for (const [name, url] of Object.entries(urls.refused)) {
    it(`may not have ${name}, and the issue names url`, () => assert.deepEqual(scanIssues(url), [['url']]));
  }

  for (const domain of ['example.com', 'sub.example.com', 'localhost', '192.0.2.7', 'exämple.com']) {
    it(`may be the bare domain ${domain}`, () => assert.deepEqual(scanIssues(domain), []));
  }
  for (const text of [
    'example.com:8080',
    'user@example.com',
    'exa mple.com',
    'exa\u00a0mple.com',
    'a<b',
    '[::1]',
    '..',
  ]) {
    it(`may not be ${JSON.stringify(text)}`, () => assert.deepEqual(scanIssues(text), [['url']]));
  }

  it('may have a fragment', () => assert.deepEqual(scanIssues('https://example.com/#top'), []));

  for (const value of [undefined, null, 7, ['https://example.com/'], { href: 'https://example.com/' }]) {
    it(`may not be ${JSON.stringify(value)}`, () => assert.deepEqual(scanIssues(value), [['url']]));
  }

  it('comes alone: any other member of the body is refused by its own name', () => {
    const issue = StartScan.safeParse({ url: 'example.com', depth: 'LEAD' }).error?.issues[0];
    assert.deepEqual(
      [issue?.code, issue?.path, issue?.code === 'unrecognized_keys' && issue.keys],
      ['unrecognized_keys', [], ['depth']],
    );
  });
});

describe('a URL to test', () => {
  for (const [name, url] of Object.entries(urls.accepted)) {
    it(`may have ${name}`, () => assert.deepEqual(pentestIssues(url), []));
  }
  for (const [name, url] of Object.entries(urls.refused)) {
    it(`may not have ${name}, and the issue names targetUrl`, () =>
      assert.deepEqual(pentestIssues(url), [['targetUrl']]));
  }

  it('may not be a bare domain', () => assert.deepEqual(pentestIssues('example.com'), [['targetUrl']]));
  it('may not have a fragment', () => assert.deepEqual(pentestIssues('https://example.com/#top'), [['targetUrl']]));
  it('may not have an empty fragment', () => assert.deepEqual(pentestIssues('https://example.com/#'), [['targetUrl']]));
});

describe('the pattern of a URL in the document', () => {
  const compile = createDocumentValidator(buildOpenApi());
  const scanProblems = compile({ $ref: '#/components/schemas/StartScan' });
  const pentestProblems = compile({ $ref: '#/components/schemas/StartPentest' });
  /** URLs that only a URL parser can reject. */
  const beyondPatterns = ['a host with an empty part', 'a port that does not exist', 'an address that is none'];

  for (const [name, url] of Object.entries(urls.accepted)) {
    it(`allows ${name}`, () => {
      assert.deepEqual(scanProblems({ url }), []);
      assert.deepEqual(pentestProblems({ targetUrl: url, verificationId: 'ver_1' }), []);
    });
  }

  for (const [name, url] of Object.entries(urls.refused)) {
    if (beyondPatterns.includes(name)) continue;
    it(`refuses ${name}`, () => {
      assert.equal(scanProblems({ url }).length, 1);
      assert.equal(pentestProblems({ targetUrl: url, verificationId: 'ver_1' }).length, 1);
    });
  }

  it('tells a scan from a pentest: bare domains and fragments', () => {
    for (const url of ['example.com', 'localhost', '192.0.2.7', 'exämple.com', 'https://example.com/#top']) {
      assert.deepEqual(scanProblems({ url }), [], url);
      assert.equal(pentestProblems({ targetUrl: url, verificationId: 'ver_1' }).length, 1, url);
    }
    for (const url of ['example.com:8080', 'user@example.com', 'exa mple.com', 'exa\u00a0mple.com', '[::1]']) {
      assert.equal(scanProblems({ url }).length, 1, url);
    }
  });

  it('refuses no URL that the service accepts', () => {
    const text = fc.oneof(
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.domain(),
      fc.stringMatching(/^(?:https?:\/\/)?[ -~]{1,20}$/),
      fc.string({ unit: 'grapheme' }).map((path) => `https://example.com/${path}`),
    );
    fc.assert(
      fc.property(text, (url) => {
        if (scanIssues(url).length === 0) assert.deepEqual(scanProblems({ url }), []);
        const start = { targetUrl: url, verificationId: 'ver_1' };
        if (pentestIssues(url).length === 0) assert.deepEqual(pentestProblems(start), []);
      }),
      { numRuns: 2_000 },
    );
  });
});
