import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { isIPv6 } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { testSender } from '@sortie/testing/engine/test-sender.ts';
import { loopbackHosts, oddAuthorities, refusedAddresses } from '@sortie/testing/targets/address-spellings.ts';
import { type NameServer, startNameServer } from '@sortie/testing/targets/name-server.ts';
import { startBareServer, startWebServer, type TargetServer } from '@sortie/testing/targets/target-servers.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Sender } from '../exchange/sender.ts';

const LOOPBACK = ['0.0.0.0/8', '127.0.0.0/8', '::/127'];
const inUrl = (address: string) => (isIPv6(address) ? `[${address}]` : address);

/** Two servers that must not be reached, on every loopback address and one port. */
let canaries: TargetServer[];
let port: number;
let closed: Sender;
let opened: Sender;
let names: NameServer;

/** `<number>.refused.test` resolves to that refused address only, `<number>.mixed.test` to an allowed one before it. */
function records(name: string): string[] {
  const [number, kind] = name.split('.');
  const address = refusedAddresses[Number(number)] ?? '127.0.0.1';
  if (kind === 'refused') return [address];
  if (kind === 'mixed') return ['127.0.0.1', address];
  if (kind === 'many') return [...Array(8).fill('127.0.0.1'), '10.0.0.1'];
  return name === 'canary.test' ? ['127.0.0.1'] : [];
}

const look = (sender: Sender, url: string) => sender.send({ method: 'GET', url, purpose: 'look' });
const reached = () => canaries.reduce((sum, canary) => sum + canary.connections(), 0);

function assertRefused({ failure, response, remote }: Exchange, what: string): void {
  assert.equal(failure?.code, 'REFUSED', `${what}: ${failure?.message ?? response?.status}`);
  assert.equal(remote, null);
}

before(async () => {
  const sing: RequestListener = (_, response) => response.setHeader('Connection', 'close').end('canary');
  const v4 = await startWebServer(sing, '0.0.0.0');
  port = v4.port;
  canaries = [v4, await startWebServer(sing, '::', port)];
  names = await startNameServer(records);
  closed = testSender({ network: { allowAddresses: [], resolvers: [names.address] } });
  opened = testSender({ network: { allowAddresses: LOOPBACK, resolvers: [names.address] } });
});

after(async () => {
  await Promise.all([closed, opened].map((sender) => sender.close()));
  await Promise.all([...canaries, names].map((server) => server.close()));
});

describe('a canary on loopback', () => {
  it('is reached by no spelling of its address', async () => {
    for (const host of loopbackHosts) assertRefused(await look(closed, `http://${host}:${port}/`), host);
    assert.ok(loopbackHosts.length + oddAuthorities.length + refusedAddresses.length > 400);
    assert.equal(reached(), 0);
  });

  it('is reached by no spelling with TLS', async () => {
    for (const host of loopbackHosts.slice(-60)) assertRefused(await look(closed, `https://${host}:${port}/`), host);
    assert.equal(reached(), 0);
  });

  it('is reached by no raw bytes', async () => {
    const raw = { port, tls: false, bytes: Buffer.from('GET / HTTP/1.0\r\n\r\n'), purpose: 'look' } as const;
    for (const host of loopbackHosts) {
      const { failure } = await closed.sendRaw({ ...raw, host });
      assert.equal(failure?.code, 'REFUSED', host);
    }
    assert.equal(reached(), 0);
  });

  it('is reached by no connection that is lent out', async () => {
    for (const host of loopbackHosts) {
      const { failure } = await closed.openSocket({ host, port, purpose: 'look' }, () => assert.fail(host));
      assert.equal(failure?.code, 'REFUSED', host);
    }
    assert.equal(reached(), 0);
  });

  it('is reached by no odd authority, whatever is allowed', async () => {
    for (const sender of [closed, opened]) {
      for (const url of oddAuthorities) {
        assertRefused(await look(sender, url.replaceAll('PORT', String(port))), JSON.stringify(url));
      }
    }
    assert.equal(reached(), 0);
  });

  it('is reached by no name that has a refused address', async () => {
    assertRefused(await look(closed, `http://canary.test:${port}/`), 'canary.test');
    for (const [index, address] of refusedAddresses.entries()) {
      assertRefused(await look(closed, `http://${index}.refused.test:${port}/`), address);
    }
    assert.equal(reached(), 0);
  });

  it('is reached by no name that has a refused address among others', async () => {
    const sender = testSender({ network: { allowAddresses: ['127.0.0.1/32'], resolvers: [names.address] } });
    for (const [index, address] of refusedAddresses.entries()) {
      if (/127\.0\.0\.1$|^::7f00:1$/.test(address) && address !== '::127.0.0.1') continue;
      assertRefused(await look(sender, `http://${index}.mixed.test:${port}/`), address);
    }
    assertRefused(await look(sender, `http://0.many.test:${port}/`), 'the ninth answer');
    assert.equal(reached(), 0);
    await sender.close();
  });

  it('is reached by no redirect', async () => {
    let location = '';
    const redirector = await startWebServer((_, response) => response.writeHead(302, { location }).end());
    const allowAddresses = [`127.0.0.1/32:${redirector.port}`];
    const sender = testSender({ network: { allowAddresses, resolvers: [names.address] } });
    const places = [
      ...loopbackHosts.map(
        (host) => `http://${encodeURI(decodeURI(host)).replaceAll('%5B', '[').replaceAll('%5D', ']')}:${port}/`,
      ),
      ...refusedAddresses.map((address) => `http://${inUrl(address)}:${port}/`),
      ...refusedAddresses.map((_, index) => `//${index}.refused.test:${port}/`),
      `http://user@127.0.0.1:${port}/`,
      `file:///etc/passwd`,
      `javascript:alert(1)`,
    ];
    for (location of places) {
      const exchanges = await sender.follow({ method: 'GET', url: redirector.url, purpose: 'look' });
      assert.equal(exchanges.length, 2, location);
      assertRefused(exchanges[1] as Exchange, location);
    }
    assert.equal(reached(), 0);
    await sender.close();
    await redirector.close();
  });

  it('is reached by every spelling once the operator allows it', async () => {
    for (const host of loopbackHosts) {
      const { response, failure } = await look(opened, `http://${host}:${port}/`);
      assert.equal(response?.body.toString(), 'canary', `${host}: ${failure?.message}`);
    }
    assert.equal((await look(opened, `http://canary.test:${port}/`)).response?.status, 200);
    const counted = opened.takeEgress().filter(({ outcome }) => outcome === 'CONTACTED');
    assert.equal(
      counted.reduce((sum, { connections }) => sum + connections, 0),
      reached(),
    );
    assert.equal(reached(), loopbackHosts.length + 1);
  });
});

describe('an address that is judged again', () => {
  it('refuses a name whose second answer differs from its first', async () => {
    const answers = ['127.0.0.1', '127.0.0.99'];
    const changing = await startNameServer((_, type) => (type === 'A' ? [answers.shift() ?? '127.0.0.99'] : []));
    const good = await startWebServer((_, response) => response.setHeader('Connection', 'close').end('good'));
    const bad = await startBareServer(() => {}, '127.0.0.99', good.port);
    const network = { allowAddresses: ['127.0.0.1/32'], resolvers: [changing.address] };
    const sender = testSender({ network });
    const url = `http://rebinding.test:${good.port}/`;
    assert.equal((await look(sender, url)).response?.body.toString(), 'good');
    assertRefused(await look(sender, url), 'the second time');
    assert.equal(bad.connections(), 0);
    await sender.close();
    await Promise.all([changing, good, bad].map((server) => server.close()));
  });

  it('refuses a connection that has gone elsewhere than it was asked to', async () => {
    // The OS connects to 127.0.0.1 for 0.0.0.0.
    const sender = testSender({ network: { allowAddresses: ['0.0.0.0/32'] } });
    assertRefused(await look(sender, `http://0.0.0.0:${port}/`), '0.0.0.0');
    const [contacted, refused] = sender.takeEgress();
    assert.deepEqual([contacted?.address, contacted?.connections, contacted?.requests], ['0.0.0.0', 1, 0]);
    assert.deepEqual([refused?.address, refused?.outcome], ['127.0.0.1', 'REFUSED']);
    await sender.close();
  });
});
