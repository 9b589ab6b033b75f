import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startDnsServer } from '@sortie/testing/targets/dns-server.ts';
import { answersFrom, type Zone } from '@sortie/testing/targets/dns-zone.ts';
import type { Exchange, TargetRequest } from '../../http/exchange/exchange.ts';
import { createDnsClient, dnsLimits } from '../../target/dns/client.ts';
import { isMissing } from '../missing.ts';
import { type DnsArtifacts, gatherDns } from './gather-dns.ts';

const good: Zone = {
  'A site.test': ['192.0.2.10'],
  'AAAA site.test': ['2001:db8::10'],
  'CNAME www.site.test': ['site.test'],
  'NS site.test': ['ns1.names.test', 'ns2.names.test'],
  'A ns1.names.test': ['192.0.2.53'],
  'A ns2.names.test': ['198.51.100.53'],
  'MX site.test': ['10 mx.site.test'],
  'CAA site.test': ['0 issue ca.test'],
  'SOA site.test': ['x'],
  'SOA .': ['x'],
  'DS site.test': ['x'],
  'DNSKEY site.test': ['x'],
  'TXT site.test': ['hello', 'v=spf1 mx include:mail.test -all'],
  'TXT mail.test': ['v=spf1 ip4:192.0.2.0/24 ?all'],
  'TXT _dmarc.site.test': ['v=DMARC1; p=reject; rua=mailto:a@reports.test'],
  'TXT site.test._report._dmarc.reports.test': ['v=DMARC1'],
  'TXT _mta-sts.site.test': ['v=STSv1; id=1'],
  'A mta-sts.site.test': ['192.0.2.11'],
  'TXT _smtp._tls.site.test': ['v=TLSRPTv1; rua=mailto:a@site.test'],
  'TLSA _443._tcp.site.test': ['3 1 1 abcd'],
  'TXT default._domainkey.site.test': ['v=DKIM1; p=AA=='],
};
const POLICY = 'version: STSv1\r\nmode: enforce\nmx: mx.site.test\nmax_age: 604800\n';
const signed = ['.', 'site.test', '_443._tcp.site.test'];

interface Scene extends NonNullable<Parameters<typeof answersFrom>[1]> {
  url?: string;
  zone?: Zone;
  answer?: Partial<Exchange>;
  limits?: Partial<typeof dnsLimits>;
}

/** Collects the DNS evidence of a site in this zone; also returns the queries and requests it took. */
async function gather({ url = 'https://site.test/', zone = good, answer, limits, ...options }: Scene = {}) {
  await using cleanUp = new AsyncDisposableStack();
  const server = await startDnsServer(answersFrom(zone, { signed, ...options }));
  cleanUp.defer(() => server.close());
  const sent: TargetRequest[] = [];
  const send = async (request: TargetRequest): Promise<Exchange> => {
    sent.push(request);
    const response = { status: 200, headers: [], body: Buffer.from(POLICY), isCut: false };
    return { request, response, failure: null, remote: null, firstByteMs: 0, durationMs: 0, ...answer };
  };
  const client = createDnsClient([server.address], { ...dnsLimits, ...limits });
  const dns = await gatherDns({ send }, client, { hops: [{ url, status: 200, headers: [] }] });
  return { dns, asked: server.asked, sent, left: client.packetsLeft() };
}

function there<Name extends keyof DnsArtifacts>(dns: DnsArtifacts, name: Name) {
  const value: DnsArtifacts[Name] = dns[name];
  assert.ok(value !== null && !isMissing(value), `${name} is ${JSON.stringify(value)}`);
  return value as Exclude<DnsArtifacts[Name], null | { missing: string }>;
}

describe('what is gathered about names', () => {
  it('is plain JSON, each question asked once, within the budget', async () => {
    const { dns, asked, left, sent } = await gather();
    assert.deepEqual(JSON.parse(JSON.stringify(dns)), dns);
    assert.ok(asked.length <= 40 && left >= 0, `${asked.length} questions`);
    assert.deepEqual(
      asked.filter((one, index) => asked.indexOf(one) !== index),
      [],
    );
    assert.deepEqual(
      sent.map(({ url, verifyTls }) => [url, verifyTls]),
      [['https://mta-sts.site.test/.well-known/mta-sts.txt', true]],
    );
  });

  it('is what the zone says', async () => {
    const { wildcard, ...dns } = (await gather()).dns;
    assert.ok(
      wildcard && !isMissing(wildcard) && !wildcard.isThere && /^[0-9a-f]{16}\.site\.test$/.test(wildcard.name),
    );
    assert.deepEqual(dns, {
      hostNames: {
        domain: 'site.test',
        site: { host: 'site.test', aliases: [], isDangling: false, ipv4: ['192.0.2.10'], ipv6: ['2001:db8::10'] },
        counterpart: {
          host: 'www.site.test',
          aliases: ['site.test'],
          isDangling: false,
          ipv4: ['192.0.2.10'],
          ipv6: [],
        },
      },
      tlsa: {
        name: '_443._tcp.site.test',
        isAuthentic: true,
        records: [{ usage: 3, selector: 1, matchingType: 1, data: 'abcd' }],
      },
      nameServers: {
        domain: 'site.test',
        names: ['ns1.names.test', 'ns2.names.test'],
        networks: ['192.0.2.0/24', '198.51.100.0/24'],
      },
      caa: { host: 'site.test', foundAt: 'site.test', records: [{ flags: 0, tag: 'issue', value: 'ca.test' }] },
      dnssec: { domain: 'site.test', state: 'SECURE', hasDs: true, hasKeys: true },
      mail: { domain: 'site.test', exchanges: ['mx.site.test'], isNone: false },
      spf: {
        domain: 'site.test',
        records: ['v=spf1 mx include:mail.test -all'],
        all: '-',
        lookUps: 2,
        voids: 0,
        usesPtr: false,
        isWhole: true,
      },
      dmarc: {
        domain: 'site.test',
        foundAt: 'site.test',
        records: ['v=DMARC1; p=reject; rua=mailto:a@reports.test'],
        receivers: [{ domain: 'reports.test', isWilling: true }],
      },
      mtaSts: {
        domain: 'site.test',
        records: ['v=STSv1; id=1'],
        policy: { mode: 'enforce', mx: ['mx.site.test'], maxAge: 604_800 },
      },
      tlsReporting: { name: '_smtp._tls.site.test', records: ['v=TLSRPTv1; rua=mailto:a@site.test'] },
      dkim: {
        domain: 'site.test',
        selectors: ['default', 'google', 'selector1', 'selector2', 'k1', 's1', 'dkim', 'mail'],
        keys: [{ selector: 'default', record: 'v=DKIM1; p=AA==' }],
      },
    });
  });

  it('is nothing for an address or a name of this house, and nobody is asked', async () => {
    for (const host of ['192.0.2.1', '[2001:db8::1]', 'localhost', 'app.localhost', 'intranet', 'printer.local']) {
      const { dns, asked } = await gather({ url: `https://${host}/` });
      assert.deepEqual([new Set(Object.values(dns)), asked.length], [new Set([null]), 0]);
    }
  });

  it('is about the host only where the domain belongs to a hosting service', async () => {
    const { dns } = await gather({
      url: 'https://somebody.github.io/',
      zone: { 'A somebody.github.io': ['192.0.2.1'] },
    });
    assert.equal(there(dns, 'hostNames').domain, null);
    assert.deepEqual([dns.spf, dns.dmarc, dns.caa, dns.dnssec, dns.nameServers], [null, null, null, null, null]);
  });

  it('asks for what belongs to mail only where mail is taken', async () => {
    for (const exchanges of [[], ['0 .']]) {
      const { dns, asked, sent } = await gather({ zone: { ...good, 'MX site.test': exchanges } });
      assert.deepEqual([dns.mtaSts, dns.tlsReporting, dns.dkim, sent.length], [null, null, null, 0]);
      assert.equal(there(dns, 'mail').isNone, exchanges.length > 0);
      assert.ok(!asked.some((one) => /_domainkey|_mta-sts|_smtp/.test(one)));
    }
  });

  it('has no TLSA record of a site without TLS', async () => {
    assert.equal((await gather({ url: 'http://site.test/' })).dns.tlsa, null);
  });
});

describe('what name servers do not say', () => {
  it('is missing, each part by itself, and says why', async () => {
    const { dns } = await gather({ failing: /^(?:MX|CAA) / });
    for (const name of ['mail', 'caa', 'mtaSts', 'tlsReporting', 'dkim'] as const)
      assert.ok(isMissing(dns[name]), name);
    assert.match(JSON.stringify(dns.caa), /failed for the query CAA site\.test/);
    for (const name of ['spf', 'dmarc', 'dnssec', 'hostNames', 'nameServers', 'tlsa'] as const) there(dns, name);
  });

  it('is all missing when they are silent, within the budget', async () => {
    const { dns, asked } = await gather({ silent: /./, limits: { tryMs: 30 } });
    for (const [name, value] of Object.entries(dns)) assert.ok(isMissing(value), name);
    assert.ok(asked.length <= 40);
  });

  it('is missing when there is nobody to ask', async () => {
    const send = () => assert.fail('a request was sent');
    const dns = await gatherDns({ send }, undefined, {
      hops: [{ url: 'https://site.test/', status: 200, headers: [] }],
    });
    for (const value of Object.values(dns)) assert.deepEqual(value, { missing: 'No DNS queries were sent.' });
  });

  it('is missing behind the last question', async () => {
    const { dns, asked, left } = await gather({ limits: { packets: 20 } });
    assert.deepEqual([asked.length, left], [20, 0]);
    assert.ok(isMissing(dns.dkim));
    there(dns, 'caa');
  });
});

describe('aliases', () => {
  it('that end nowhere are dangling when a second question says so', async () => {
    const zone = { ...good, 'CNAME www.site.test': ['a.test'], 'CNAME a.test': ['gone.test'] };
    const { dns, asked } = await gather({ zone });
    const { counterpart } = there(dns, 'hostNames');
    assert.deepEqual([counterpart?.aliases, counterpart?.isDangling], [['a.test', 'gone.test'], true]);
    assert.ok(asked.includes('A gone.test'));
    const failing = await gather({ zone, failing: /^A gone/ });
    assert.equal(there(failing.dns, 'hostNames').counterpart?.isDangling, false);
  });

  it('that run in circles, or on and on, come to an end', async () => {
    const circle = { ...good, 'CNAME www.site.test': ['a.test'], 'CNAME a.test': ['www.site.test'] };
    assert.deepEqual(there((await gather({ zone: circle })).dns, 'hostNames').counterpart?.aliases, [
      'a.test',
      'www.site.test',
    ]);
    const long = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`CNAME a${at}.test`, [`a${at + 1}.test`]]));
    const { dns } = await gather({ zone: { ...good, 'CNAME www.site.test': ['a0.test'], ...long } });
    assert.equal(there(dns, 'hostNames').counterpart?.aliases.length, 16);
  });
});

describe('CAA records', () => {
  it('are those of the nearest name that has any', async () => {
    const url = 'https://a.b.site.test/';
    const far = await gather({ url, zone: { ...good, 'A a.b.site.test': ['192.0.2.1'] } });
    assert.equal(there(far.dns, 'caa').foundAt, 'site.test');
    const near = await gather({ url, zone: { ...good, 'CAA b.site.test': ['0 issue ;'] } });
    assert.equal(there(near.dns, 'caa').foundAt, 'b.site.test');
    const { 'CAA site.test': _, ...none } = good;
    assert.deepEqual(there((await gather({ url, zone: none })).dns, 'caa').foundAt, null);
  });
});

describe('DNSSEC', () => {
  it('is bogus where an answer comes only unchecked, and only from a server that checks', async () => {
    const { dns } = await gather({ forged: ['site.test'] });
    assert.deepEqual(there(dns, 'dnssec'), { domain: 'site.test', state: 'BOGUS', hasDs: true, hasKeys: true });
    assert.ok(isMissing((await gather({ forged: ['site.test'], signed: [] })).dns.dnssec));
    assert.ok(isMissing((await gather({ failing: /^SOA site/ })).dns.dnssec));
    // Fails both tries of the first query and works after that.
    let times = 0;
    const busy = { test: (question: string) => question === 'SOA site.test' && ++times <= 2 };
    assert.ok(isMissing((await gather({ failing: busy })).dns.dnssec));
  });

  it('is insecure where a server that checks does not vouch', async () => {
    const { 'DS site.test': _, 'DNSKEY site.test': __, ...unsigned } = good;
    const { dns } = await gather({ zone: unsigned, signed: ['.'] });
    assert.deepEqual(there(dns, 'dnssec'), { domain: 'site.test', state: 'INSECURE', hasDs: false, hasKeys: false });
  });

  it('is not known from a server that does not check', async () => {
    const { dns } = await gather({ signed: [] });
    assert.deepEqual(dns.dnssec, { missing: 'The resolver does not validate DNSSEC.' });
    assert.equal(there(dns, 'tlsa').isAuthentic, false);
  });
});

describe('the MTA-STS policy', () => {
  const policyOf = async (scene: Scene) => there((await gather(scene)).dns, 'mtaSts').policy;

  it('is not asked for without its record, or without a host', async () => {
    const { 'TXT _mta-sts.site.test': _, ...none } = good;
    const without = await gather({ zone: none });
    assert.deepEqual([there(without.dns, 'mtaSts').policy, without.sent.length], [null, 0]);
    const { 'A mta-sts.site.test': __, ...homeless } = good;
    assert.deepEqual(await policyOf({ zone: homeless }), { problem: 'mta-sts.site.test has no A or AAAA record' });
  });

  it('has a problem when its certificate or its answer is wrong, and is not known when nobody could look', async () => {
    const failing = (code: 'TLS' | 'TIMEOUT') => ({ response: null, failure: { code, message: 'No.' } });
    assert.deepEqual(await policyOf({ answer: failing('TLS') }), { problem: 'mta-sts.site.test: No.' });
    assert.equal(await policyOf({ answer: failing('TIMEOUT') }), null);
    const status = { status: 301, headers: [], body: Buffer.from(POLICY), isCut: false };
    assert.match(JSON.stringify(await policyOf({ answer: { response: status } })), /status 301/);
  });
});
