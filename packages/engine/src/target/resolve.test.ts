import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type NameServer, startNameServer } from '@sortie/testing/targets/name-server.ts';
import { createNameLookUp, type NameLookUp } from './resolve.ts';

let server: NameServer;
let lookUp: NameLookUp;

before(async () => {
  server = await startNameServer((name, type) => {
    if (name.startsWith('silent')) return 'silence';
    if (name.startsWith('broken')) return 'failure';
    if (name === 'half.test') return type === 'A' ? ['192.0.2.7'] : 'failure';
    if (type === 'TXT') return name === 'shop.test' ? ['sortie-verification=|abc', 'v=spf1'] : [];
    return name === 'shop.test' ? ['192.0.2.1', '2001:db8::1'] : [];
  });
  lookUp = createNameLookUp([server.address]);
});
after(() => server.close());

describe('looking a name up', () => {
  it('finds its addresses of both families', async () => {
    assert.deepEqual(await lookUp.addresses('shop.test'), ['192.0.2.1', '2001:db8::1']);
    assert.deepEqual(await lookUp.addresses('shop.test.'), ['192.0.2.1', '2001:db8::1']);
  });

  it('finds nothing where there is nothing', async () => {
    assert.deepEqual(await lookUp.addresses('nothing.test'), []);
    assert.deepEqual(await lookUp.texts('nothing.test'), []);
  });

  it('finds texts, each in one piece', async () => {
    assert.deepEqual(await lookUp.texts('shop.test'), ['sortie-verification=abc', 'v=spf1']);
  });

  it('makes do with one family when the other fails', async () => {
    assert.deepEqual(await lookUp.addresses('half.test'), ['192.0.2.7']);
  });

  it('throws when the server fails, which is not the same as nothing', async () => {
    await assert.rejects(lookUp.addresses('broken.test'));
    await assert.rejects(lookUp.texts('broken.test'));
  });

  it('gives up on a server that is silent', async () => {
    const startedAt = performance.now();
    await assert.rejects(lookUp.texts('silent.test'));
    assert.ok(performance.now() - startedAt < 6_000);
  });

  it('asks nobody for addresses and for the names of this machine', async () => {
    const before = server.asked.length;
    for (const host of ['localhost', 'LOCALHOST.', 'a.localhost']) {
      assert.deepEqual(await lookUp.addresses(host), ['127.0.0.1', '::1']);
    }
    assert.deepEqual(await lookUp.addresses('192.0.2.5'), ['192.0.2.5']);
    assert.deepEqual(await lookUp.addresses('[2001:db8::5]'), ['2001:db8::5']);
    assert.equal(server.asked.length, before);
  });
});
