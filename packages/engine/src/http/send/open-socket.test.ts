import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { testSender } from '@sortie/testing/engine/test-sender.ts';
import { startBareServer, type TargetServer } from '@sortie/testing/targets/target-servers.ts';
import type { JudgedSocket } from '../exchange/exchange.ts';
import type { Sender } from '../exchange/sender.ts';

let echo: TargetServer;
before(async () => {
  echo = await startBareServer((socket) => socket.pipe(socket));
});
after(() => echo.close());

async function say({ socket }: JudgedSocket): Promise<string> {
  socket.write('hello');
  const [answer] = await once(socket, 'data');
  return String(answer);
}

const open = <Value>(sender: Sender, use: (judged: JudgedSocket) => Promise<Value>, host = '127.0.0.1') =>
  sender.openSocket({ host, port: echo.port, purpose: 'look' }, use);

describe('a connection that is lent out', () => {
  it('carries what its user says, is counted, and is closed after it', async () => {
    const sender = testSender();
    let lent: Socket | undefined;
    const { value, remote } = await open(sender, (judged) => {
      lent = judged.socket;
      return say(judged);
    });
    assert.deepEqual([value, remote], ['hello', { address: '127.0.0.1', port: echo.port }]);
    assert.ok(lent?.destroyed);
    assert.deepEqual(
      sender.takeEgress().map(({ host, connections, outcome }) => [host, connections, outcome]),
      [['127.0.0.1', 1, 'CONTACTED']],
    );
    await sender.close();
  });

  it('goes nowhere the address rule or the scope forbids, nor to what is no host', async () => {
    const before = echo.connections();
    const closed = testSender({ network: { allowAddresses: [] } });
    const narrow = testSender({ scope: () => 'Not that one.' });
    for (const sender of [closed, narrow]) {
      const { failure } = await open(sender, say);
      assert.equal(failure?.code, 'REFUSED');
      assert.equal(sender.takeEgress()[0]?.outcome, 'REFUSED');
    }
    for (const host of ['a/b', 'user@127.0.0.1', '127.0.0.1:1@x', '']) {
      assert.equal((await open(testSender(), say, host)).failure?.code, 'REFUSED', host);
    }
    assert.equal(echo.connections(), before);
  });

  it('is refused when all of them are used up, while requests go on', async () => {
    const sender = testSender({ limits: { sockets: 2 } });
    const uses = [await open(sender, say), await open(sender, say), await open(sender, say)];
    assert.deepEqual(
      uses.map(({ failure }) => failure?.code),
      [undefined, undefined, 'REFUSED'],
    );
    const after = await sender.send({ method: 'GET', url: `http://127.0.0.1:${echo.port}/`, purpose: 'look' });
    assert.equal(after.failure?.code, 'PROTOCOL');
    await sender.close();
  });

  it('waits for its turn', async () => {
    const sender = testSender({ limits: { atOnce: 3 } });
    let inside = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 9 }, () =>
        open(sender, async () => {
          most = Math.max(most, ++inside);
          await sleep(10);
          inside--;
        }),
      ),
    );
    assert.equal(most, 3);
    await sender.close();
  });

  it('is taken back at the deadline, and when the sender is closed', async () => {
    const hold = ({ socket }: JudgedSocket) => once(socket, 'close');
    const hasty = testSender({ limits: { totalMs: 50 } });
    await open(hasty, hold);
    await hasty.close();
    const sender = testSender();
    const held = open(sender, hold);
    await sleep(50);
    await sender.close();
    await held;
    await assert.rejects(open(sender, say), /over/);
  });

  it('counts its bytes', async () => {
    const sender = testSender({ limits: { bytes: 9 } });
    await open(sender, say);
    await assert.rejects(open(sender, say), /traffic budget/);
    await sender.close();
  });

  it('is free again after a user that failed', async () => {
    const sender = testSender({ limits: { atOnce: 1 } });
    await assert.rejects(
      open(sender, async () => {
        throw new TypeError('ours');
      }),
      /ours/,
    );
    assert.equal((await open(sender, say)).value, 'hello');
    await sender.close();
  });

  it('ends the run where nobody answers again and again', async () => {
    const gone = await startBareServer(() => {});
    await gone.close();
    const sender = testSender();
    const ask = () => sender.openSocket({ host: '127.0.0.1', port: gone.port, purpose: 'look' }, say);
    for (let count = 0; count < 10; count++) assert.equal((await ask()).failure?.code, 'UNREACHABLE');
    await assert.rejects(ask(), /is no longer reachable/);
    await sender.close();
  });
});
