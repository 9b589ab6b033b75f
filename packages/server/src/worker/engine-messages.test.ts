import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { readMessages } from './engine-messages.ts';

const phase = JSON.stringify({ type: 'phase', phase: 'RECON' });

function listen() {
  const stream = new PassThrough();
  let nonsense = 0;
  const { received, end } = readMessages(stream, () => {
    nonsense++;
  });
  return { stream, received, end, nonsense: () => nonsense };
}

async function countOf(received: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _message of received) count++;
  return count;
}

describe('the line of an engine', () => {
  it('is read message by message, however it is cut', async () => {
    const { stream, received, end, nonsense } = listen();
    for (const byte of Buffer.from(`${phase}\n${phase}\n`)) stream.write(Buffer.from([byte]));
    stream.write(`${phase}\n`.repeat(3));
    setImmediate(() => setImmediate(end));
    assert.equal(await countOf(received), 5);
    assert.equal(nonsense(), 0);
  });

  for (const [what, line] of Object.entries({
    'that is not JSON': 'garbage',
    'that is JSON of no known shape': '{"type":"charge","credits":1}',
    'that is empty': '',
    'with more than a message': `${phase} ${phase}`,
    'with a prototype': '{"type":"phase","phase":"RECON","__proto__":{"isAdmin":true},"x":1}',
  })) {
    it(`${what} is nonsense, and nothing after it is believed`, async () => {
      const { stream, received, nonsense } = listen();
      stream.write(`${phase}\n${line}\n${phase}\n`);
      assert.equal(await countOf(received), 1);
      assert.equal(nonsense(), 1);
      assert.ok(stream.destroyed);
    });
  }

  it('without an end is given up before it fills our memory', async () => {
    const { stream, received, nonsense } = listen();
    const counted = countOf(received);
    for (let i = 0; i < 80 && !stream.destroyed; i++) {
      stream.write(Buffer.alloc(64 * 1024, 'a'));
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(await counted, 0);
    assert.equal(nonsense(), 1);
  });

  it('is read no faster than it is listened to', async () => {
    const { stream, received, end } = listen();
    for (let i = 0; i < 100; i++) {
      stream.write(`${phase}\n`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.ok(stream.isPaused());
    assert.ok(stream.readableLength > 0);
    const counted = countOf(received);
    while (stream.readableLength > 0) await new Promise((resolve) => setImmediate(resolve));
    end();
    assert.equal(await counted, 100);
  });
});
