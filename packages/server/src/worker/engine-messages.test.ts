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

const reference = 'https://cwe.mitre.org/data/definitions/79.html';
const stepWith = (changes: object) => {
  const texts = { title: 't', description: null, remediation: null, affectedUrl: null, method: null, parameter: null };
  const finding = { ...texts, severity: 'LOW', confidence: 'FIRM', cvssScore: null, cwe: null, fingerprint: 'f' };
  const step = { type: 'step', name: 'WEB_TEST/1', phase: 'WEB_TEST', requests: 0, modelMicrodollars: 0 };
  return JSON.stringify({ ...step, findings: [{ ...finding, ...changes }] });
};

describe('a finding of an engine', () => {
  const isBelieved = async (changes: object) => {
    const { stream, received, end } = listen();
    stream.write(`${stepWith(changes)}\n`);
    setImmediate(() => setImmediate(end));
    return (await countOf(received)) === 1;
  };

  it('is read with what identifies it, and without', async () => {
    const cvssVector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
    assert.ok(await isBelieved({}));
    assert.ok(await isBelieved({ checkId: 'reflected-xss', cvssVector, location: 'query', references: [reference] }));
    assert.ok(await isBelieved({ checkId: null, cvssVector: null, location: null, references: [] }));
  });

  for (const [what, changes] of Object.entries({
    'markup as its check': { checkId: '<b>xss</b>' },
    'a long name of its check': { checkId: 'x'.repeat(101) },
    'markup as its vector': { cvssVector: 'CVSS:3.1/AV:N/<b>' },
    'a long vector': { cvssVector: `CVSS:3.1${'/AV:N'.repeat(1_000)}` },
    'an unknown location': { location: 'elsewhere' },
    'a script as a reference': { references: ['javascript:alert(1)'] },
    'a reference without TLS': { references: [reference.replace('https:', 'http:')] },
    'a reference with markup': { references: [`${reference}"><img src=x>`] },
    'a reference with an account': { references: ['https://cwe.mitre.org@evil.example/'] },
    'a reference of two lines': { references: [`${reference}\nSecond`] },
    'a long reference': { references: [reference + 'x'.repeat(500)] },
    'too many references': { references: Array.from({ length: 21 }, () => reference) },
  })) {
    it(`with ${what} is refused`, async () => assert.equal(await isBelieved(changes), false));
  }
});

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
