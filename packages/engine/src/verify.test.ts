import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { at, definePointCheck, type Point, type PointCheck, type Verdict } from './active-check.ts';
import type { Browser } from './browser/browser.ts';
import type { Exchange } from './http/exchange.ts';
import type { Session } from './login/session.ts';
import { createNonce, verify } from './verify.ts';

const parameter = { location: 'query' as const, name: 'q', value: 'tea' };
const point: Point = {
  item: { method: 'GET', url: 'http://shop.test/', parameters: [parameter], seenAs: null, contentType: '' },
  parameter,
};

const answered = (request: Exchange['request']): Exchange => ({
  request,
  response: { status: 200, headers: [], body: Buffer.from(''), isCut: false },
  failure: null,
  remote: null,
  firstByteMs: 1,
  durationMs: 1,
});

/** A check whose proof gives these verdicts, one after another. */
function checkWith(...verdicts: Verdict[]): { check: PointCheck<string>; nonces: Set<string> } {
  const nonces = new Set<string>();
  const check = definePointCheck<string>({
    id: 'example',
    title: 'An example',
    cwe: 1,
    cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
    why: 'Because.',
    fix: 'Repair it.',
    references: [],
    risk: 'harmless',
    appliesTo: () => true,
    variants: ['only'],
    maxRequests: 2,
    proof: {
      plan(point, _variant, { word }) {
        nonces.add(word);
        return [at(point, 'attack', word)];
      },
      judge: () => verdicts.shift() ?? 'VOID',
    },
    lab: () => ({ parameter: 'q', value: 'tea', vulnerable: () => ({}), safe: () => ({}) }),
  });
  return { check, nonces };
}

async function verifyWith(...verdicts: Verdict[]) {
  const { check, nonces } = checkWith(...verdicts);
  const events: string[] = [];
  const verified = await verify(check, point, 'only', {
    sessionOf: () => ({
      async send(request) {
        events.push('send');
        return answered({ ...request, purpose: 'test' });
      },
      load: async (request) => answered({ ...request, purpose: 'load' }),
    }),
    as: null,
    known: { inventory: [], accounts: [] },
    renew: () => void events.push('renew'),
  });
  return { verified, nonces: nonces.size, events };
}

describe('verify', () => {
  it('confirms what is proved twice, with new nonces and over a new connection', async () => {
    const { verified, nonces, events } = await verifyWith('PROVED', 'PROVED');
    assert.equal(verified?.confidence, 'CONFIRMED');
    assert.equal(nonces, 2);
    assert.deepEqual(events, ['send', 'renew', 'send']);
  });

  it('drops what the second time refutes', async () => {
    assert.equal((await verifyWith('PROVED', 'REFUTED')).verified, undefined);
  });

  it('is only firm about what could not be repeated', async () => {
    assert.equal((await verifyWith('PROVED', 'VOID')).verified?.confidence, 'FIRM');
  });

  it('is only firm about what was likely at least once', async () => {
    assert.equal((await verifyWith('LIKELY', 'PROVED')).verified?.confidence, 'FIRM');
    assert.equal((await verifyWith('PROVED', 'LIKELY')).verified?.confidence, 'FIRM');
    assert.equal((await verifyWith('LIKELY', 'REFUTED')).verified, undefined);
  });

  it('takes back what may have been changed, also when an answer is missing, and then says nothing', async () => {
    const sent: string[] = [];
    const { check } = checkWith('PROVED', 'PROVED');
    const request = (name: string) => ({ method: 'GET', url: `http://shop.test/${name}` });
    const proof = {
      ...check.proof,
      plan: () => [
        { label: 'change', request: request('change') },
        { label: 'look', request: request('look'), as: 'somebody who is gone' },
        { label: 'look again', request: request('look-again') },
        { label: 'restore', request: request('restore'), isCleanUp: true },
      ],
    };
    const verified = await verify({ ...check, proof }, point, 'only', {
      sessionOf: (name) =>
        name === null
          ? {
              async send(asked) {
                sent.push(new URL(asked.url).pathname);
                return answered({ ...asked, purpose: 'test' });
              },
              load: async (asked) => answered({ ...asked, purpose: 'load' }),
            }
          : undefined,
      as: null,
      known: { inventory: [], accounts: [] },
      renew: () => undefined,
    });
    assert.equal(verified, undefined);
    assert.deepEqual(sent, ['/change', '/restore']);
  });

  it('opens a page of another site that is made up, and sends what it asks for as a browser would', async () => {
    const { check } = checkWith('PROVED', 'PROVED', 'PROVED', 'PROVED');
    const asked = { method: 'GET', url: 'http://shop.test/me' };
    const fromPage = { url: 'http://elsewhere.test/', html: '<p>Hello</p>' };
    const plan = () => [
      { label: 'first', request: asked, isNewVisitor: true },
      { label: 'read', request: asked, fromPage, isOptional: true },
    ];
    const sent: unknown[] = [];
    const pages: string[] = [];
    const session: Pick<Session, 'send' | 'load'> = {
      async send(request, showing) {
        sent.push(showing);
        return answered({ ...request, purpose: 'test' });
      },
      load: () => assert.fail('the page is nobody but ours'),
    };
    const browser: Pick<Browser, 'visit'> = {
      async visit(request, send) {
        const { url } = request;
        const exchange = await send(request, url, 'document');
        pages.push(exchange.response?.body.toString() ?? '');
        await send(asked, url, 'xhr');
        return { exchange, calls: ['word'] };
      },
    };
    const known = { inventory: [], accounts: [] };
    const people = { sessionOf: () => session, newVisitor: () => session, as: null, known, renew: () => undefined };
    const proof = { ...check.proof, plan };
    const verified = await verify({ ...check, proof }, point, 'only', { ...people, browser });
    assert.deepEqual(pages, ['<p>Hello</p>', '<p>Hello</p>']);
    assert.deepEqual(sent, [undefined, { isCrossSite: true }, undefined, { isCrossSite: true }]);
    assert.deepEqual(verified?.exhibits[1]?.exchange.calls, ['word']);
    assert.equal(verified?.exhibits[1]?.exchange.request.url, asked.url);
    // It can do without the browser.
    const without = await verify({ ...check, proof }, point, 'only', people);
    assert.deepEqual(
      without?.exhibits.map(({ label }) => label),
      ['first'],
    );
  });

  it('does not repeat what was not proved', async () => {
    for (const verdict of ['REFUTED', 'VOID'] as const) {
      const { verified, events } = await verifyWith(verdict);
      assert.equal(verified, undefined);
      assert.deepEqual(events, ['send']);
    }
  });
});

describe('a nonce', () => {
  it('has a word that nothing contains by chance, and three different numbers', () => {
    for (let made = 0; made < 1_000; made++) {
      const { word, numbers } = createNonce();
      assert.match(word, /^s[0-9a-f]{12}$/);
      assert.equal(new Set(numbers).size, 3);
    }
  });
});
