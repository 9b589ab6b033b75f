import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Exchange, SendFailure, TargetRequest, TargetResponse } from '../../http/exchange/exchange.ts';
import { StopSending } from '../../http/exchange/sender.ts';
import { gatherMainPage } from './main-page.ts';

const URL = 'https://site.example/';

function exchange(url: string, response: Partial<TargetResponse> | null, failure: SendFailure | null = null): Exchange {
  return {
    request: { method: 'GET', url, purpose: 'look' },
    response: response && { status: 200, headers: [], body: Buffer.from('hello'), isCut: false, ...response },
    failure,
    remote: null,
    firstByteMs: null,
    durationMs: 1,
  };
}

const senderOf = (...exchanges: Exchange[]) => ({ follow: async () => exchanges });

async function failureOf(...exchanges: Exchange[]) {
  const gathered = await gatherMainPage(senderOf(...exchanges), URL);
  assert.ok('code' in gathered, 'it was gathered');
  return gathered;
}

async function pageOf(...exchanges: Exchange[]) {
  const gathered = await gatherMainPage(senderOf(...exchanges), URL);
  assert.ok('hops' in gathered, 'it was not gathered');
  return gathered;
}

describe('the main page', () => {
  it('is asked for with a passive look', async () => {
    const asked: TargetRequest[] = [];
    const follow = async (request: TargetRequest) => {
      asked.push(request);
      return [exchange(URL, {})];
    };
    await gatherMainPage({ follow }, URL);
    assert.deepEqual(
      asked.map(({ method, url, purpose }) => [method, url, purpose]),
      [['GET', URL, 'look']],
    );
  });

  it('is kept with all that led to it, header by header as sent, as plain values', async () => {
    const headers = [
      ['X-A', '1'],
      ['x-a', '2'],
    ] as const;
    const page = await pageOf(
      exchange('http://site.example/', { status: 301, headers: [['Location', URL]], body: Buffer.from('moved') }),
      exchange(URL, { status: 302, headers: [['Location', '//www.site.example/']], body: Buffer.alloc(0) }),
      exchange('https://www.site.example/', { headers }),
    );
    assert.deepEqual(page.hops, [
      { url: 'http://site.example/', status: 301, headers: [['Location', URL]], redirectBody: 'moved' },
      { url: URL, status: 302, headers: [['Location', '//www.site.example/']] },
      { url: 'https://www.site.example/', status: 200, headers },
    ]);
    assert.equal(page.body, 'hello');
    assert.deepEqual(JSON.parse(JSON.stringify(page)), page);
  });

  it('is read in the character set that it names, and in UTF-8 when that is none', async () => {
    const typed = (charset: string, body: Buffer) =>
      pageOf(exchange(URL, { headers: [['Content-Type', `text/html; charset=${charset}`]], body }));
    assert.equal((await typed('"iso-8859-1"', Buffer.from([0xe9]))).body, 'é');
    assert.equal((await typed('klingon', Buffer.from('é'))).body, 'é');
  });

  it('is read as its byte order mark says, and keeps it', async () => {
    const marked = Buffer.from([0xff, 0xfe, 0xe9, 0]);
    const headers = [['Content-Type', 'text/html; charset=utf-8']] as const;
    assert.equal((await pageOf(exchange(URL, { headers, body: marked }))).body, '\ufeffé');
    assert.equal((await pageOf(exchange(URL, { body: Buffer.from('\ufeffé') }))).body, '\ufeffé');
  });

  it('is kept with only the beginning of what a redirect sent', async () => {
    const page = await pageOf(exchange(URL, { status: 302, body: Buffer.alloc(50_000, 'x') }), exchange(URL, {}));
    assert.equal(page.hops[0]?.redirectBody?.length, 20_000);
  });

  for (const status of [401, 403]) {
    it(`is there to be judged when it answers with ${status}`, async () => {
      const page = await pageOf(exchange(URL, { status, body: Buffer.from('<h1>Sign in</h1>') }));
      assert.deepEqual([page.hops.at(-1)?.status, page.body], [status, '<h1>Sign in</h1>']);
    });
  }

  it('is cut when it is long', async () => {
    const page = await pageOf(exchange(URL, { body: Buffer.alloc(1_000_001, 'x') }));
    assert.deepEqual([page.body.length, page.isCut], [1_000_000, true]);
    assert.equal((await pageOf(exchange(URL, { isCut: true }))).isCut, true);
  });
});

describe('a main page that could not be gathered', () => {
  for (const [why, code, next] of [
    ['REFUSED', 'TARGET_REFUSED', /ask the operator/],
    ['UNREACHABLE', 'TARGET_UNREACHABLE', /Check the name and the port/],
    ['TIMEOUT', 'TARGET_TIMEOUT', /responds in time/],
    ['TLS', 'TLS_FAILED', /serves https under this name/],
    ['PROTOCOL', 'NOT_GATHERED', /shows a page in a browser/],
    ['TOO_LARGE', 'NOT_GATHERED', /shows a page in a browser/],
  ] as const) {
    it(`is ${code} after ${why}, with the reason and what to do next`, async () => {
      const failure = await failureOf(exchange(URL, null, { code: why, message: 'It was so' }));
      assert.equal(failure.code, code);
      assert.match(failure.message, /^It was so\. /);
      assert.match(failure.message, next);
    });
  }

  for (const [reason, code] of [
    ['time', 'TARGET_TIMEOUT'],
    ['unreachable', 'TARGET_UNREACHABLE'],
    ['bytes', 'NOT_GATHERED'],
  ] as const) {
    it(`is ${code} when nothing is sent any more for ${reason}`, async () => {
      const follow = () => Promise.reject(new StopSending(reason, 'Enough.'));
      const failure = await gatherMainPage({ follow }, URL);
      assert.ok('code' in failure && failure.code === code && /^Enough\. [A-Z]/.test(failure.message));
    });
  }

  it('does not hide a fault of our own', async () => {
    await assert.rejects(gatherMainPage({ follow: () => Promise.reject(new TypeError('ours')) }, URL), /ours/);
  });

  for (const status of [302, 304, 400, 404, 406, 500, 503]) {
    it(`is one that answers with ${status}`, async () => {
      assert.equal((await failureOf(exchange(URL, { status }))).code, 'NOT_GATHERED');
    });
  }

  for (const [name, response] of [
    ['too many requests', { status: 429 }],
    ['a challenge', { status: 403, headers: [['CF-Mitigated', 'challenge']] }],
    ['a firewall that says so on its page only', { status: 403, body: Buffer.from('<title>Just a moment...</title>') }],
    ['a challenge that looks like success', { status: 202, headers: [['x-amzn-waf-action', 'challenge']] }],
  ] as const) {
    it(`is blocked by ${name}, and says what to do`, async () => {
      const failure = await failureOf(exchange(URL, response));
      assert.equal(failure.code, 'TARGET_BLOCKED');
      assert.match(failure.message, /X-Sortie-Run/);
    });
  }

  it('is one that leads to another site', async () => {
    const failure = await failureOf(exchange(URL, { status: 302 }), exchange('https://other.example/', {}));
    assert.equal(failure.code, 'NOT_GATHERED');
    assert.match(failure.message, /another site, https:\/\/other\.example\/\. Scan that URL/);
  });

  it('is one at another customer of the same host', async () => {
    const gathered = await gatherMainPage(senderOf(exchange('https://b.github.io/', {})), 'https://a.github.io/');
    assert.ok('code' in gathered);
  });

  it('says so in a few words, however long the URL', async () => {
    const failure = await failureOf(exchange(`https://other.example/${'x'.repeat(5_000)}`, {}));
    assert.ok(failure.message.length < 1_000);
  });

  it('is one that nothing came back from', async () => {
    assert.equal((await failureOf()).code, 'NOT_GATHERED');
  });
});
