import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testSender } from '@sortie/testing/engine/test-sender.ts';
import { startBareServer } from '@sortie/testing/targets/target-servers.ts';
import type { Sender } from '../exchange/sender.ts';
import type { ServerProof } from './connect.ts';

const origin = 'http://127.0.0.1:9';
const ways: [string, (sender: Sender) => Promise<unknown>][] = [
  ['send', (sender) => sender.send({ method: 'GET', url: `${origin}/`, purpose: 'look' })],
  [
    'sendRaw',
    (sender) =>
      sender.sendRaw({
        host: '127.0.0.1',
        port: 9,
        tls: false,
        bytes: Buffer.from('GET / HTTP/1.1\r\n\r\n'),
        purpose: 'look',
      }),
  ],
  ['openSocket', (sender) => sender.openSocket({ host: '127.0.0.1', port: 9, purpose: 'look' }, async () => {})],
];

describe('an internal error while a connection is made', () => {
  const fault = new TypeError('a bug in the server proof');
  const prove: ServerProof = () => Promise.reject(fault);

  for (const [name, ask] of ways) {
    it(`is thrown by ${name}, and does not count as a target that cannot be reached`, async () => {
      const sender = testSender({ prove, mainOrigin: origin });
      for (let count = 0; count < 11; count++) await assert.rejects(ask(sender), fault);
      assert.equal(sender.isInDoubt(), false);
      await sender.close();
    });
  }

  it('of the lookup is thrown, unlike the failure of a name server', async () => {
    const failing = (error: Error) =>
      testSender({
        lookUp: { addresses: () => Promise.reject(error), texts: async () => [], aliases: async () => [] },
      });
    const ask = (sender: Sender) => sender.send({ method: 'GET', url: 'http://site.test/', purpose: 'look' });
    const broken = failing(fault);
    await assert.rejects(ask(broken), fault);
    const unanswered = failing(Object.assign(new Error('queryA ETIMEOUT site.test'), { code: 'ETIMEOUT' }));
    assert.equal((await ask(unanswered)).failure?.code, 'UNREACHABLE');
    await Promise.all([broken.close(), unanswered.close()]);
  });

  it('is thrown although another address would answer', async () => {
    const lookUp = {
      addresses: async () => ['127.0.0.1', '127.0.0.2'],
      texts: async () => [],
      aliases: async () => [],
    };
    const asked: string[] = [];
    const sender = testSender({
      lookUp,
      prove: (_, address) => {
        asked.push(address);
        return Promise.reject(fault);
      },
    });
    await assert.rejects(sender.send({ method: 'GET', url: 'http://site.test/', purpose: 'look' }), fault);
    assert.deepEqual(asked, ['127.0.0.1']);
    await sender.close();
  });
});

describe('a network error while a connection is made', () => {
  it('leads to the next address', async () => {
    const server = await startBareServer((socket) => socket.end('HTTP/1.1 204 \r\n\r\n'), '127.0.0.2');
    // Nothing listens at the first address; no TCP connection can be made to the second, a broadcast address.
    const addresses = async () => ['127.0.0.3', '127.255.255.255', '127.0.0.2'];
    const sender = testSender({ lookUp: { addresses, texts: async () => [], aliases: async () => [] } });
    const exchange = await sender.send({ method: 'GET', url: `http://site.test:${server.port}/`, purpose: 'look' });
    assert.deepEqual([exchange.response?.status, exchange.remote?.address], [204, '127.0.0.2']);
    await Promise.all([sender.close(), server.close()]);
  });

  it('counts as a target that cannot be reached', async () => {
    for (const host of ['127.0.0.3', '127.255.255.255']) {
      const sender = testSender({ mainOrigin: `http://${host}:9` });
      const { failure } = await sender.send({ method: 'GET', url: `http://${host}:9/`, purpose: 'look' });
      assert.deepEqual([failure?.code, sender.isInDoubt()], ['UNREACHABLE', true], host);
      await sender.close();
    }
  });
});
