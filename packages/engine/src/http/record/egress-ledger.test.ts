import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testSender } from '@sortie/testing/engine/test-sender.ts';
import { startNameServer } from '@sortie/testing/targets/name-server.ts';
import { startBareServer, startWebServer } from '@sortie/testing/targets/target-servers.ts';
import { EgressEntry } from '../../protocol/egress-entry.ts';
import { createEgressLedger, UNMASKED } from './egress-ledger.ts';
import { createRedactor } from './redactor.ts';

describe('the ledger', () => {
  it('says what an independent count on the other side says', async () => {
    const requests = new Map<string, number>();
    const web = (host: string, closes: boolean) =>
      startWebServer((request, response) => {
        const place = `${(request.headers.host ?? '').replace(/:.*/, '')} ${request.socket.localPort}`;
        requests.set(place, (requests.get(place) ?? 0) + 1);
        if (closes) response.setHeader('Connection', 'close');
        if (request.url === '/redirect') response.writeHead(302, { location: `http://two.test:${servers[1]?.port}/` });
        response.end('x');
      }, host);
    const servers = [await web('127.0.0.1', false), await web('127.0.0.1', true), await web('127.0.0.2', true)];
    const bare = await startBareServer((socket) => socket.on('data', () => socket.end('x')));
    const names = await startNameServer((name) => {
      if (name === 'refused.test') return ['10.0.0.1'];
      return name === 'three.test' ? ['127.0.0.2'] : ['127.0.0.1'];
    });
    const network = { allowAddresses: ['127.0.0.0/8'], resolvers: [names.address] };
    const sender = testSender({ network, limits: { atOnce: 1 } });
    const [one = 0, two = 0, three = 0] = servers.map(({ port }) => port);
    const look = (url: string) => sender.follow({ method: 'GET', url, purpose: 'look' });
    for (let count = 0; count < 4; count++) {
      await look(`http://one.test:${one}/`);
      await look(`http://one.test:${one}/redirect`);
      await look(`http://two.test:${two}/x`);
      await look(`http://three.test:${three}/`);
      await look(`http://refused.test:${one}/`);
      await look(`http://user@one.test:${one}/`);
      await sender.sendRaw({ host: 'raw.test', port: bare.port, tls: false, bytes: Buffer.from('x'), purpose: 'look' });
    }
    const egress = sender.takeEgress();
    const sum = (port: number, key: 'connections' | 'requests') =>
      egress.filter((entry) => entry.port === port).reduce((total, entry) => total + entry[key], 0);
    const contacted = egress.filter(({ outcome }) => outcome === 'CONTACTED');
    for (const server of [...servers, bare]) assert.equal(sum(server.port, 'connections'), server.connections());
    for (const [place, count] of requests) {
      const entry = contacted.find(({ host, port }) => `${host} ${port}` === place);
      assert.equal(entry?.requests, count, place);
    }
    assert.deepEqual(contacted.map(({ host, address }) => `${host} ${address}`).sort(), [
      'one.test 127.0.0.1',
      'raw.test 127.0.0.1',
      'three.test 127.0.0.2',
      'two.test 127.0.0.1',
    ]);
    const refused = egress.filter(({ outcome }) => outcome === 'REFUSED');
    assert.deepEqual(
      refused.map(({ host, address, requests: count }) => [host, address, count]),
      [
        ['refused.test', '10.0.0.1', 4],
        ['one.test', null, 4],
      ],
    );
    for (const entry of egress) EgressEntry.parse(entry);
    assert.deepEqual(sender.takeEgress(), []);
    await sender.close();
    await Promise.all([...servers, bare, names].map((server) => server.close()));
  });

  it('stays small, and loses no count', () => {
    const ledger = createEgressLedger(UNMASKED);
    for (let count = 0; count < 1_000; count++) {
      ledger.connection(`host-${count}.test`, 80, '192.0.2.1');
      ledger.refusal(`${count}-${'long'.repeat(100)}.test`, 80, null, 'because '.repeat(100));
    }
    const egress = ledger.take();
    assert.equal(egress.length, 100);
    for (const entry of egress) EgressEntry.parse(entry);
    assert.equal(
      egress.reduce((sum, { connections }) => sum + connections, 0),
      1_000,
    );
    assert.equal(
      egress.reduce((sum, { requests }) => sum + requests, 0),
      1_000,
    );
    assert.equal(egress.filter(({ host }) => host === '…').length, 2);
  });

  it('shows no secret', async () => {
    const redactor = createRedactor();
    redactor.learn('hunter22');
    const sender = testSender({ redactor, scope: (url) => `Not ${url.href}.` });
    const { failure } = await sender.send({ method: 'GET', url: 'http://hunter22.test/hunter22', purpose: 'look' });
    assert.ok(!JSON.stringify([failure, sender.takeEgress()]).includes('hunter22'));
    await sender.close();
  });

  it('shows the hosts of a target, whatever cookies it sets', async () => {
    const redactor = createRedactor();
    redactor.learnToken('shop.test');
    const sender = testSender({ redactor, scope: () => 'Not in scope.' });
    await sender.send({ method: 'GET', url: 'http://shop.test/', purpose: 'look' });
    assert.deepEqual(
      sender.takeEgress().map(({ host }) => host),
      ['shop.test'],
    );
    await sender.close();
  });
});
