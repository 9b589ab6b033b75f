import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Exchange, TargetRequest } from '../exchange/exchange.ts';
import { createRedactor } from '../record/redactor.ts';
import { followRedirects } from './follow.ts';

const redactor = createRedactor();
redactor.learn('key-of-alice');

/** Responds with the redirect that the map has for a URL, otherwise with 200. */
function web(redirects: Record<string, [status: number, location: string]>) {
  return async (request: TargetRequest): Promise<Exchange> => {
    const [status, location] = redirects[request.url] ?? [200, undefined];
    const headers = location === undefined ? [] : ([['LOCATION', location]] as const);
    const response = { status, headers, body: Buffer.alloc(0), isCut: false };
    return { request, response, failure: null, remote: null, firstByteMs: 0, durationMs: 0 };
  };
}

const secretHeaders = [
  ['Authorization', 'Bearer x'],
  ['cookie', 'a=b'],
  ['X-Key', 'key-of-alice'],
  ['Accept', '*/*'],
] as const;

const follow = (redirects: Parameters<typeof web>[0], request: Partial<TargetRequest> = {}, maxHops = 5) =>
  followRedirects(
    { method: 'GET', url: 'https://a.test/', headers: secretHeaders, purpose: 'look', ...request },
    maxHops,
    web(redirects),
    redactor,
  );

const names = (exchange?: Exchange) => exchange?.request.headers?.map(([name]) => name);

describe('following redirects', () => {
  it('keeps every header at the same origin', async () => {
    const [, last] = await follow({ 'https://a.test/': [302, '/b?c#d'] });
    assert.equal(last?.request.url, 'https://a.test/b?c');
    assert.deepEqual(last?.request.headers, secretHeaders);
  });

  for (const location of [
    'https://b.test/',
    'http://a.test/',
    'https://a.test:444/',
    '//b.test/',
    'https://sub.a.test/',
  ]) {
    it(`takes nobody's secrets to ${location}`, async () => {
      const [, last] = await follow({ 'https://a.test/': [302, location] });
      assert.deepEqual(names(last), ['Accept']);
    });
  }

  it('does not bring secrets back that it has left behind', async () => {
    const exchanges = await follow({
      'https://a.test/': [302, 'https://b.test/'],
      'https://b.test/': [302, 'https://a.test/2'],
    });
    assert.deepEqual(names(exchanges[2]), ['Accept']);
  });

  it('shows where it went from https to http', async () => {
    const exchanges = await follow({ 'https://a.test/': [301, 'http://a.test/'] });
    assert.deepEqual(
      exchanges.map(({ request }) => request.url),
      ['https://a.test/', 'http://a.test/'],
    );
  });

  for (const [status, method, hasBody] of [
    [301, 'GET', false],
    [302, 'GET', false],
    [303, 'GET', false],
    [307, 'POST', true],
    [308, 'POST', true],
  ] as const) {
    it(`sends ${method} after ${status} to a POST`, async () => {
      const headers = [['Content-Type', 'text/plain']] as const;
      const [, last] = await follow({ 'https://a.test/': [status, '/b'] }, { method: 'POST', body: 'x', headers });
      assert.equal(last?.request.method, method);
      assert.equal(last?.request.body !== undefined, hasBody);
      assert.equal(last?.request.headers?.length, hasBody ? 1 : 0);
    });
  }

  it('stops in a circle, after its hops, and where nothing leads on', async () => {
    const circle = { 'https://a.test/': [302, '/b'], 'https://a.test/b': [302, '/'] } as const;
    assert.equal((await follow({ ...circle } as never)).length, 2);
    const chain = Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => [`https://a.test/${index || ''}`, [302, `/${index + 1}`]]),
    );
    assert.equal((await follow(chain as never, {}, 3)).length, 4);
    assert.equal((await follow(chain as never, {}, 0)).length, 1);
    assert.equal((await follow({ 'https://a.test/': [302, 'http://['] })).length, 1);
    assert.equal((await follow({ 'https://a.test/': [304, '/b'] })).length, 1);
  });
});
