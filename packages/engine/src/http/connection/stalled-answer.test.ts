import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testSender } from '@sortie/testing/engine/test-sender.ts';
import { startBareServer } from '@sortie/testing/targets/target-servers.ts';
import { watchLength } from './stalled-answer.ts';

const TOTAL_MS = 15_000;

describe('an answer that announces more than it sends', () => {
  it('is taken as it is when nearly all of it has come, long before its time is over', async () => {
    const server = await startBareServer((socket) => {
      socket.on('data', () => socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n${'a'.repeat(990)}`));
    });
    const sender = testSender({ limits: { totalMs: TOTAL_MS } });
    const { response, durationMs } = await sender.send({ method: 'GET', url: server.url, purpose: 'look' });
    assert.deepEqual([response?.body.length, response?.isCut], [990, true]);
    assert.ok(durationMs < TOTAL_MS, `${durationMs} ms`);
    await sender.close();
    await server.close();
  });

  it('is waited for as long as we do not read it', (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    let stalled = 0;
    const length = watchLength([['Content-Length', '1000']], () => stalled++);
    length.note(990, true);
    context.mock.timers.tick(60_000);
    assert.equal(stalled, 0);
    length.note(1, false);
    context.mock.timers.tick(60_000);
    assert.equal(stalled, 1);
  });
});
