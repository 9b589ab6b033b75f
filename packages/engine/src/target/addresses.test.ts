import assert from 'node:assert/strict';
import { isIPv4 } from 'node:net';
import { describe, it } from 'node:test';
import { refusedAddresses } from '@sortie/testing/targets/address-spellings.ts';
import { canonicalNetwork, createAddressRule, isPublicAddress, parseAllowList } from './addresses.ts';

describe('a public address', () => {
  for (const address of ['8.8.8.8', '1.1.1.1', '9.255.255.255', '11.0.0.0', '172.15.255.255', '172.32.0.0']) {
    it(`is ${address}`, () => assert.ok(isPublicAddress(address)));
  }
  for (const address of ['100.63.255.255', '100.128.0.0', '2606:4700::1111', '2a00:1450::8a', '::ffff:8.8.8.8']) {
    it(`is ${address}`, () => assert.ok(isPublicAddress(address)));
  }
  for (const address of refusedAddresses) {
    it(`is not ${address}`, () => assert.ok(!isPublicAddress(address)));
  }
  const noAddresses = [
    '',
    'localhost',
    '8.8.8',
    '134744072',
    '010.8.8.8',
    '0x8.8.8.8',
    '[2606:4700::1111]',
    '8.8.8.8.',
  ];
  for (const text of [...noAddresses, ' 8.8.8.8', '8.8.8.8:80', '2606:4700::1111%eth0', 'fe80::1%1', '８.8.8.8']) {
    it(`is not what is written ${JSON.stringify(text)}`, () => assert.ok(!isPublicAddress(text)));
  }
});

describe('an opt-out of addresses and networks', () => {
  const rule = createAddressRule(
    ['10.0.0.0/8'],
    ['site.example', '192.0.2.0/24', '1.2.3.4', '[2a00::1]', '2a01::/32', '10.9.0.0/16'],
  );

  it('holds for every address in it, before any exception', () => {
    for (const address of ['1.2.3.4', '::ffff:1.2.3.4', '2a00::1', '2a01::99', '10.9.1.1'])
      assert.equal(rule(address, 443), `The owner of ${address} has opted out of scans.`);
  });

  it('holds for no other address', () => {
    for (const address of ['1.2.3.5', '2a00::2', '2a02::1', '10.8.1.1']) assert.equal(rule(address, 443), undefined);
  });

  it('is written in one way', () => {
    assert.equal(canonicalNetwork('192.0.2.77/24'), '192.0.2.0/24');
    assert.equal(canonicalNetwork('2001:DB8:0::5/32'), '2001:db8::/32');
    assert.equal(canonicalNetwork('1.2.3.4'), '1.2.3.4/32');
    for (const text of ['1.2.3.4/33', '::1/129', 'abc.de', 'a.example/24', '1.2.3/8', '1.2.3.4/', '', '1.2.3.4:80'])
      assert.equal(canonicalNetwork(text), undefined, text);
  });
});

describe("the operator's exceptions", () => {
  for (const address of refusedAddresses) {
    it(`open ${address}, and only where they say so`, () => {
      const v6 = address.replace(/^::ffff:(?=\d+\.|a9fe)/, '');
      const plain = v6 === 'a9fe:a9fe' ? '169.254.169.254' : v6;
      const entry = isIPv4(plain) ? `${plain}/32` : `${plain}/128`;
      const entryWithPort = isIPv4(plain) ? `${entry}:8080` : `[${entry}]:8080`;
      assert.equal(createAddressRule([entry])(address, 80), undefined);
      assert.equal(createAddressRule([entryWithPort])(address, 8080), undefined);
      assert.match(createAddressRule([entryWithPort])(address, 80) ?? '', /is not a public address/);
      assert.match(createAddressRule([])(address, 80) ?? '', /is not a public address/);
    });
  }

  it('never open an address with a zone, nor what is no address', () => {
    const rule = createAddressRule(['::/0', '0.0.0.0/0']);
    for (const text of ['fe80::1%eth0', '::1%lo', 'localhost', '', '0x7f.1']) {
      assert.match(rule(text, 80) ?? '', /is not a supported IP address/);
    }
  });

  it('leave public addresses open', () => {
    assert.equal(createAddressRule(['10.0.0.0/8:8080'])('8.8.8.8', 443), undefined);
  });

  it('keep IPv4 and IPv6 apart', () => {
    assert.ok(createAddressRule(['::/0'])('127.0.0.1', 80));
    assert.ok(createAddressRule(['0.0.0.0/0'])('::1', 80));
  });

  it('take an address without a length for that address alone', () => {
    const rule = createAddressRule(['10.0.0.5', 'fd00::5', '[fd00::6]:443']);
    assert.equal(rule('10.0.0.5', 80), undefined);
    assert.ok(rule('10.0.0.6', 80));
    assert.equal(rule('fd00::5', 80), undefined);
    assert.equal(rule('fd00::6', 443), undefined);
    assert.ok(rule('fd00::6', 80));
  });

  const wrong = [
    '',
    'localhost',
    '10.0.0.0/33',
    '10.0.0/8',
    '::/129',
    '10.0.0.0/8:0',
    '10.0.0.0/8:65536',
    '[::1]:',
    '*',
  ];
  for (const entry of [...wrong, '10.0.0.0/-1', '10.0.0.0/8:80:80', 'fd00::/8:', '[fd00::/8', '0x7f.0.0.1/32', '1/8']) {
    it(`are refused with a sentence when one is written ${JSON.stringify(entry)}`, () => {
      assert.throws(() => parseAllowList(['10.0.0.0/8', entry]), /is not a network: write 10\.0\.0\.0\/8/);
    });
  }
});
