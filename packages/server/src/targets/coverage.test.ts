import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Coverage, covers, equalsOrLiesUnder, readHost, readOrigin } from './coverage.ts';

const name = (coveredName: string): Coverage => ({ coveredName, coveredOrigin: null });
const origin = (coveredOrigin: string): Coverage => ({ coveredName: null, coveredOrigin });

interface Cases {
  covered: string[];
  not: string[];
}

/** URLs that look like example.com to a careless reader, but lead to another host. */
const tricks = [
  'https://example.com@evil.test/',
  'https://example.com:443@evil.test/',
  'https://example.com%40evil.test/',
  'https://evil.test/example.com',
  'https://evil.test?https://example.com/',
  'https://evil.test#.example.com',
  'https://evil.test\\.example.com/',
  'https://evil.test\\@example.com/',
  'https://evil.test／.example.com/',
  'https://evil.test%2f.example.com/',
  'https://evil.test%00.example.com/',
  'https://example.com.evil.test/',
  'https://example.com。evil.test/',
  'https://example.com%2eevil.test/',
  'https://evil-example.com/',
  'https://evilexample.com/',
  'https://examp\u0142e.com/',
  'https://ex\u0430mple.com/',
  'https://example.co/',
  'https://com/',
];

/** URLs without a legitimate use, whichever host the parser extracts from them. */
const unreadable = [
  '',
  'example.com',
  '//example.com/',
  'https:example.com',
  'https:/example.com/',
  'https:\\\\example.com',
  ' https://example.com/',
  'https://exam\tple.com/',
  'https://example.com\n/',
  'https://exa\u00a0mple.com/',
  'https://@example.com/',
  'https://user@example.com/',
  'https://user:secret@example.com/',
  'https://example.com../',
  'https://.example.com/',
  'https://*.example.com/',
  'https://example.com:99999/',
  'ftp://example.com/',
  'javascript://example.com/%0aalert(1)',
];

const table: Record<string, Cases & { coverage: Coverage }> = {
  'an https origin': {
    coverage: origin('https://example.com'),
    covered: [
      'https://example.com',
      'https://example.com/admin?tab=1',
      'https://example.com?a@b',
      'https://example.com:443/',
      'https://example.com:0443/',
      'HTTPS://EXAMPLE.com/',
      'https://example.com./',
      'https://example.com.:443/',
      'https://example.com/@evil.test',
      'https://ｅｘａｍｐｌｅ.com/',
      'https://%65xample.com/',
    ],
    not: [
      'http://example.com/',
      'http://example.com:443/',
      'https://example.com:8443/',
      'https://www.example.com/',
      ...tricks,
      ...unreadable,
    ],
  },
  'an http origin with a port': {
    coverage: origin('http://example.com:8080'),
    covered: ['http://example.com:8080/', 'http://example.com.:8080/x'],
    not: ['http://example.com/', 'https://example.com:8080/', 'http://example.com:80/', 'http://a.example.com:8080/'],
  },
  'an IPv4 origin': {
    coverage: origin('http://192.0.2.7'),
    covered: ['http://192.0.2.7/', 'http://192.0.2.7:80/', 'http://0xc0.0.2.7/', 'http://3221225991/'],
    not: ['http://192.0.2.70/', 'http://1.192.0.2.7/', 'http://[::ffff:192.0.2.7]/', 'http://192.0.2.7.evil.test/'],
  },
  'an IPv6 origin with a port': {
    coverage: origin('http://[2001:db8::1]:8080'),
    covered: ['http://[2001:db8::1]:8080/', 'http://[2001:DB8:0:0:0:0:0:1]:8080/', 'http://[2001:0db8::0001]:8080/'],
    not: ['http://[2001:db8::1]/', 'http://[2001:db8::10]:8080/', 'http://[2001:db8::1%25eth0]:8080/', 'http://[::1]/'],
  },
  'an international origin': {
    coverage: origin('https://xn--exmple-cua.com'),
    covered: [
      'https://exämple.com/',
      'https://EXÄMPLE.com/',
      'https://exa\u0308mple.com/',
      'https://xn--exmple-cua.com/',
    ],
    not: ['https://example.com/', 'https://www.exämple.com/'],
  },
  'a name': {
    coverage: name('example.com'),
    covered: [
      'https://example.com/',
      'http://example.com/',
      'https://example.com:8443/',
      'https://a.b.example.com/',
      'http://A.Example.COM.:8080/',
      'https://exämple.example.com/',
      'https://_service.example.com/',
    ],
    not: [...tricks, ...unreadable],
  },
  'a name below another': {
    coverage: name('shop.example.com'),
    covered: ['https://shop.example.com/', 'https://a.shop.example.com/'],
    not: ['https://example.com/', 'https://www.example.com/', 'https://workshop.example.com/'],
  },
  'an international name': {
    coverage: name('xn--exmple-cua.com'),
    covered: ['https://exämple.com/', 'https://www.exämple.com/'],
    not: ['https://example.com/'],
  },
  'a name that looks like the end of an address': {
    coverage: name('2.7'),
    covered: [],
    not: ['http://192.0.2.7/', 'http://2.7/'],
  },
  'nothing at all': {
    coverage: { coveredName: null, coveredOrigin: null },
    covered: [],
    not: ['https://example.com/', 'https://null/', ''],
  },
};

describe('coverage', () => {
  for (const [what, { coverage, covered, not }] of Object.entries(table)) {
    for (const url of covered) {
      it(`of ${what} includes ${JSON.stringify(url)}`, () => assert.equal(covers(coverage, url), true));
    }
    for (const url of not) {
      it(`of ${what} does not include ${JSON.stringify(url)}`, () => assert.equal(covers(coverage, url), false));
    }
  }
});

describe('an origin', () => {
  it('has one spelling, with its host', () => {
    assert.deepEqual(readOrigin('HTTPS://Shop.Exämple.com.:443/a?b#c'), {
      origin: 'https://shop.xn--exmple-cua.com',
      host: 'shop.xn--exmple-cua.com',
    });
    assert.deepEqual(readOrigin('http://[2001:DB8::1]:8080'), {
      origin: 'http://[2001:db8::1]:8080',
      host: '[2001:db8::1]',
    });
  });

  it('has a host of at most 253 characters', () => {
    const long = (length: number) => `https://${'a.'.repeat(200).slice(0, length - 1)}b/`;
    assert.equal(readOrigin(long(253))?.host.length, 253);
    assert.equal(readOrigin(long(255)), undefined);
  });

  for (const url of unreadable) {
    it(`cannot be read from ${JSON.stringify(url)}`, () => assert.equal(readOrigin(url), undefined));
  }
});

describe('a host', () => {
  for (const [text, host] of Object.entries({
    'Example.COM.': 'example.com',
    'exämple.com': 'xn--exmple-cua.com',
    '192.0.2.7': '192.0.2.7',
    '[2001:DB8::1]': '[2001:db8::1]',
  })) {
    it(`is read from ${text}`, () => assert.equal(readHost(text), host));
  }
  for (const text of ['', '.', 'a/b', 'a:80', 'a@b', 'a?b', 'a#b', 'a\\b', 'a b', '[::1]:80', '::1', '[::1', 'a]']) {
    it(`is not read from ${JSON.stringify(text)}`, () => assert.equal(readHost(text), undefined));
  }
});

const label = fc.stringMatching(/^[a-z]([a-z0-9_-]{0,8}[a-z0-9])?$/).filter((text) => !/^..--/.test(text));
const labels = fc.array(label, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.'));
/** Never ends in `invalid`, which is reserved for the lookalikes. */
const coveredName = fc.tuple(labels, fc.constantFrom('com', 'test', 'co.uk')).map((parts) => parts.join('.'));
const scheme = fc.constantFrom('http', 'https', 'HTTPS');
const port = fc.option(fc.integer({ min: 0, max: 65_535 })).map((number) => (number === null ? '' : `:${number}`));
const rest = fc.constantFrom('', '/', '/a/../b', '?next=https://evil.invalid/', '#@evil.invalid');

describe('the coverage of any name', () => {
  it('includes the name and every name below it, on any port and scheme, however it is written', () => {
    const spelling = fc.constantFrom(
      (host: string) => host,
      (host: string) => host.toUpperCase(),
      (host: string) => `${host}.`,
      (host: string) => host.replaceAll('.', '。'),
    );
    const url = fc.tuple(coveredName, fc.option(labels), scheme, spelling, port, rest);
    fc.assert(
      fc.property(url, ([covered, below, scheme, spell, port, rest]) => {
        const host = below === null ? covered : `${below}.${covered}`;
        assert.ok(covers(name(covered), `${scheme}://${spell(host)}${port}${rest}`));
      }),
      { numRuns: 2_000 },
    );
  });

  it('never includes a sibling, a parent, or a host that only looks like it', () => {
    fc.assert(
      fc.property(coveredName, label, scheme, port, (covered, other, scheme, port) => {
        const [first = '', ...above] = covered.split('.');
        const parent = above.join('.');
        const hosts = [
          parent,
          `${other}${covered}`,
          `${other}-${covered}`,
          `${covered}.${other}.invalid`,
          `${covered}-${other}.invalid`,
          `${covered}:80@${other}.invalid`,
          `${other}.invalid/.${covered}`,
          `${other}.invalid\\.${covered}`,
          `${other}.invalid#.${covered}`,
          ...(other === first ? [] : [`${other}.${parent}`]),
        ];
        for (const host of hosts) assert.ok(!covers(name(covered), `${scheme}://${host}${port}/`), host);
      }),
      { numRuns: 2_000 },
    );
  });

  it('agrees with comparing labels from the end', () => {
    const few = fc.array(fc.constantFrom('a', 'b', 'ab'), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(few, few, (host, name) => {
        const isBelow = name.every((part, index) => host[host.length - name.length + index] === part);
        assert.equal(equalsOrLiesUnder(host.join('.'), name.join('.')), isBelow);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('the coverage of any origin', () => {
  it('includes a URL exactly when scheme, host and port are the same', () => {
    const few = fc.record({
      scheme: fc.constantFrom('http', 'https'),
      host: fc.constantFrom('example.com', 'www.example.com', 'example.com.test', '192.0.2.7', '[::1]'),
      port: fc.constantFrom(undefined, 80, 443, 8080),
    });
    const effective = ({ scheme, host, port }: { scheme: string; host: string; port: number | undefined }) =>
      `${scheme} ${host} ${port ?? (scheme === 'http' ? 80 : 443)}`;
    const write = ({ scheme, host, port }: { scheme: string; host: string; port: number | undefined }) =>
      `${scheme}://${host}${port === undefined ? '' : `:${port}`}/`;
    fc.assert(
      fc.property(few, few, (one, other) => {
        const known = readOrigin(write(one))?.origin;
        assert.ok(known);
        assert.equal(covers(origin(known), write(other)), effective(one) === effective(other));
      }),
      { numRuns: 2_000 },
    );
  });
});
