import assert from 'node:assert/strict';
import { createHash, X509Certificate } from 'node:crypto';
import { describe, it } from 'node:test';
import { issue } from '@sortie/testing/targets/certificates.ts';
import { startDnsServer } from '@sortie/testing/targets/dns-server.ts';
import { answersFrom, type Zone } from '@sortie/testing/targets/dns-zone.ts';
import { createDnsClient } from '../../target/dns/client.ts';
import { isMissing } from '../missing.ts';
import { problemOf } from './caa.ts';
import { gatherDmarc, policiesOf } from './dmarc.ts';
import { createLookUps, type LookUps } from './look-ups.ts';
import { readPolicy } from './mta-sts.ts';
import { gatherSpf } from './spf.ts';
import { fits } from './tlsa.ts';

async function inZone<Value extends object>(
  zone: Zone,
  use: (lookUps: LookUps) => Promise<Value | { missing: string }>,
) {
  await using cleanUp = new AsyncDisposableStack();
  const server = await startDnsServer(answersFrom(zone));
  cleanUp.defer(() => server.close());
  const value = await use(createLookUps(createDnsClient([server.address])));
  assert.ok(!isMissing(value));
  return { value: value as Value, asked: server.asked };
}

describe('an SPF record', () => {
  const spfOf = async (record: string, others: Zone = {}) =>
    (await inZone({ 'TXT site.test': [record], ...others }, (lookUps) => gatherSpf(lookUps, 'site.test'))).value;

  it('says what becomes of all others, by itself or by a redirect, never by an include', async () => {
    for (const [record, all] of [
      ['v=spf1 all', '+'],
      ['V=SPF1 mx -ALL', '-'],
      ['v=spf1 ip4:0.0.0.0/0 -all', '+'],
      ['v=spf1 -ip4:0.0.0.0/0 ~all', '~'],
      ['v=spf1 redirect=other.test', '?'],
      ['v=spf1 include:other.test', null],
      ['v=spf1 -all redirect=other.test', '-'],
      ['v=spf1', null],
    ] as const) {
      assert.equal((await spfOf(record, { 'TXT other.test': ['v=spf1 ?all'] })).all, all, record);
    }
  });

  it('counts the look-ups of what it includes, and none behind all', async () => {
    const others = {
      'TXT a.test': ['v=spf1 a mx include:b.test -all mx'],
      'TXT b.test': ['v=spf1 ptr exists:%{i}.x ~all'],
    };
    const spf = await spfOf('v=spf1 include:a.test exists:%{i}.c.test ip6:2001:db8::/32 -all include:c.test', others);
    assert.deepEqual([spf.lookUps, spf.usesPtr, spf.isWhole], [7, true, true]);
  });

  it('counts questions without an answer', async () => {
    const { voids, lookUps } = await spfOf('v=spf1 include:x.test a:y.test mx:z.test a:site.test -all', {
      'A site.test': ['192.0.2.1'],
    });
    assert.deepEqual([lookUps, voids], [4, 3]);
  });

  it('that includes itself, or a thousand others, comes to an end soon', async () => {
    const circle = await inZone({ 'TXT site.test': ['v=spf1 include:site.test include:site.test -all'] }, (lookUps) =>
      gatherSpf(lookUps, 'site.test'),
    );
    assert.deepEqual([circle.value.lookUps, circle.asked.length], [11, 1]);
    const tree = Object.fromEntries(
      Array.from({ length: 90 }, (_, at) => [
        `TXT n${at}.test`,
        [`v=spf1 include:n${at * 3 + 1}.test a:n${at * 3 + 2}.test mx:x${at}.test`],
      ]),
    );
    const many = await inZone(
      { ...tree, 'TXT site.test': ['v=spf1 include:n0.test include:n1.test include:n2.test'] },
      (lookUps) => gatherSpf(lookUps, 'site.test'),
    );
    assert.equal(many.value.lookUps, 11);
    assert.ok(many.asked.length <= 13, `${many.asked.length} questions`);
  });

  it('is not whole where something could not be followed', async () => {
    assert.equal((await spfOf('v=spf1 include:%{d}.test -all')).isWhole, false);
    assert.equal((await spfOf(`v=spf1 include:${'a'.repeat(64)}.test -all`)).isWhole, false);
  });
});

describe('a CAA record', () => {
  const issue = (value: string) => problemOf({ flags: 0, tag: 'issue', value });

  it('names an issuer or none, with blanks around it and parameters after it', () => {
    for (const value of ['ca.test', ' \tca.test\t ', '', ' ', ';', ' ca.test ; a=b', ';a=b'])
      assert.equal(issue(value), undefined, JSON.stringify(value));
    for (const value of ['https://ca.test', 'ca..test', 'ca.test.', 'a b', 'ca.test; \u0001', 'ca.test\n;\n'])
      assert.ok(issue(value), JSON.stringify(value));
  });

  it('full of blanks is judged in linear time', () => {
    const before = process.cpuUsage().user;
    for (let times = 0; times < 10; times++) assert.ok(issue(`${'\t'.repeat(65_000)}!`));
    // CPU time in microseconds: quadratic time would take many seconds on any machine.
    assert.ok(process.cpuUsage().user - before < 2_000_000);
  });
});

describe('a DMARC record', () => {
  const dmarcOf = async (zone: Zone, domain = 'site.co.uk') =>
    (await inZone(zone, (lookUps) => gatherDmarc(lookUps, domain))).value;

  it('is looked for up the tree', async () => {
    const registry = { 'TXT _dmarc.uk': ['v=DMARC1; p=none; sp=reject; psd=y'] };
    const dmarc = await dmarcOf(registry);
    assert.deepEqual([dmarc.foundAt, policiesOf(dmarc)], ['uk', { own: 'reject', below: 'reject' }]);
    const own = await dmarcOf({ ...registry, 'TXT _dmarc.site.co.uk': ['v=DMARC1; p=quarantine'] });
    assert.deepEqual([own.foundAt, policiesOf(own)], ['site.co.uk', { own: 'quarantine', below: 'quarantine' }]);
  });

  it('does not count when it is written otherwise', async () => {
    for (const text of ['v=dmarc1; p=reject', 'p=reject; v=DMARC1', ' v=DMARC1; p=reject', 'v=DMARC12; p=reject']) {
      assert.equal((await dmarcOf({ 'TXT _dmarc.site.co.uk': [text] })).foundAt, null, text);
    }
  });

  it('counts for nothing when there are two', async () => {
    const two = await dmarcOf({ 'TXT _dmarc.site.co.uk': ['v=DMARC1; p=reject', 'v=DMARC1; p=none'] });
    assert.deepEqual([two.records.length, policiesOf(two)], [2, null]);
  });
});

describe('an MTA-STS policy', () => {
  it('needs a version, a mode, an age and mail servers', () => {
    const lines = ['version: STSv1', 'mode: testing', 'mx: *.Site.test', 'max_age: 86400'];
    assert.deepEqual(readPolicy(lines.join('\r\n')), { mode: 'testing', mx: ['*.site.test'], maxAge: 86_400 });
    for (const line of lines) assert.ok('problem' in readPolicy(lines.filter((one) => one !== line).join('\n')), line);
    assert.ok('problem' in readPolicy('<!doctype html><h1>Hello</h1>'));
    assert.ok(!('problem' in readPolicy('version: STSv1\nmode: none\nmax_age: 0')));
  });
});

describe('a TLSA record', () => {
  it('fits a certificate or its key, whole or by its hash', () => {
    const { pem } = issue({ name: 'site.test', names: ['site.test'] });
    const leaf = new X509Certificate(pem);
    const chain = [{ der: leaf.raw.toString('base64') }];
    const key = leaf.publicKey.export({ type: 'spki', format: 'der' });
    const hash = (algorithm: string, bytes: Buffer) => createHash(algorithm).update(bytes).digest('hex');
    for (const [selector, matchingType, data] of [
      [0, 0, leaf.raw.toString('hex')],
      [0, 2, hash('sha512', leaf.raw)],
      [1, 1, hash('sha256', key)],
      [1, 0, key.toString('hex')],
    ] as const) {
      assert.equal(fits({ usage: 3, selector, matchingType, data }, chain), true);
      assert.equal(fits({ usage: 3, selector, matchingType, data: data.replace(/^./, 'g') }, chain), false);
      assert.equal(fits({ usage: 2, selector, matchingType, data }, chain), false);
    }
    assert.equal(fits({ usage: 9, selector: 0, matchingType: 0, data: '' }, chain), undefined);
  });
});
