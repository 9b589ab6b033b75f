import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Exchange } from '../exchange/exchange.ts';
import { recordExchange } from './record.ts';
import { createRedactor } from './redactor.ts';

const redactor = createRedactor();
redactor.learn('hunter22');

function exchangeWith(body: string | Buffer): Exchange {
  return {
    request: {
      method: 'POST',
      url: 'https://shop.example/login?pass=hunter22',
      headers: [
        ['Authorization', 'Bearer abc.def'],
        ['Cookie', 'session=abc; theme=dark'],
        ['X-Key', 'hunter22'],
      ],
      body: 'password=hunter22',
      purpose: 'test',
    },
    response: {
      status: 200,
      headers: [['Set-Cookie', 'session=xyz; Path=/; HttpOnly']],
      body: Buffer.from(body),
      isCut: false,
    },
    failure: null,
    remote: { address: '192.0.2.1', port: 443 },
    firstByteMs: 1,
    durationMs: 2,
  };
}

describe('a recorded exchange', () => {
  it('has no secret anywhere', () => {
    const recorded = recordExchange(exchangeWith('Hello hunter22'), redactor);
    assert.ok(!JSON.stringify(recorded).includes('hunter22'));
    assert.equal(recorded.responseBody, 'Hello [redacted]');
    assert.equal(recorded.url, 'https://shop.example/login?pass=[redacted]');
  });

  it('masks each header with a CSRF token, also a short one', () => {
    const { request, ...rest } = exchangeWith('');
    for (const name of ['X-CSRF-Token', 'x-xsrf-token', 'X-CSRFToken', 'csrf-token', 'X-Acme-Anti-CSRF']) {
      const { requestHeaders } = recordExchange(
        { ...rest, request: { ...request, headers: [[name, 'k7']] } },
        redactor,
      );
      assert.deepEqual(requestHeaders, [[name, '[redacted]']]);
    }
  });

  it('keeps the origin of its URL, whatever cookies the target sets', () => {
    const tokens = createRedactor();
    for (const each of ['shop.example', 'https://', 'example/a']) tokens.learnToken(each);
    tokens.learnToken('session-value');
    const urlOf = (url: string, { request, ...rest } = exchangeWith('')) =>
      recordExchange({ ...rest, request: { ...request, url } }, tokens).url;
    assert.equal(urlOf('https://shop.example/a?b=../%2e'), 'https://shop.example/a?b=../%2e');
    assert.equal(urlOf('https://shop.example:443/a'), 'https://shop.example/a');
    assert.equal(urlOf('https://shop.example:443/session-value'), 'https://shop.example/[redacted]');
    assert.equal(urlOf('https://session-value@shop.example/'), 'https://shop.example/');
    assert.equal(urlOf('//session-value'), '//[redacted]');
  });

  it('masks secrets of accounts also in the origin of its URL', () => {
    const secrets = createRedactor();
    secrets.learn('https://login.example/token');
    const { request, ...rest } = exchangeWith('');
    const { url } = recordExchange(
      { ...rest, request: { ...request, url: 'https://login.example/token?a=b' } },
      secrets,
    );
    assert.equal(url, '[redacted]?a=b');
  });

  it('masks the values of cookies and authorisations, known or not', () => {
    const { requestHeaders, responseHeaders } = recordExchange(exchangeWith(''), redactor);
    assert.deepEqual(requestHeaders, [
      ['Authorization', 'Bearer [redacted]'],
      ['Cookie', 'session=[redacted]; theme=[redacted]'],
      ['X-Key', '[redacted]'],
    ]);
    assert.deepEqual(responseHeaders, [['Set-Cookie', 'session=[redacted]; Path=/; HttpOnly']]);
  });

  it('shows of a long body what is around a marker', () => {
    const body = `${'a'.repeat(10_000)}MARK${'b'.repeat(10_000)}`;
    const { responseBody } = recordExchange(exchangeWith(body), redactor, ['MARK']);
    assert.match(responseBody ?? '', /^…a+MARKb+…$/);
    assert.equal(responseBody?.length, 4_096 + 2);
  });

  it('shows the beginning of a long body without a marker', () => {
    const { responseBody } = recordExchange(exchangeWith('a'.repeat(9_000)), redactor, ['MARK']);
    assert.equal(responseBody, `${'a'.repeat(4_096)}…`);
  });

  it('cuts no secret in half', () => {
    const body = `${'a'.repeat(4_092)}hunter22${'a'.repeat(100)}`;
    assert.ok(!recordExchange(exchangeWith(body), redactor).responseBody?.includes('hunt'));
  });

  it('shows how long a body is that is no text', () => {
    assert.equal(recordExchange(exchangeWith(Buffer.from([0xff, 0xd8, 0])), redactor).responseBody, '‹3 bytes›');
  });

  it('is plain JSON, with the failure when there was no answer', () => {
    const failure = { code: 'TIMEOUT', message: 'No response arrived in time to hunter22.' } as const;
    const recorded = recordExchange({ ...exchangeWith(''), response: null, failure }, redactor);
    assert.deepEqual(JSON.parse(JSON.stringify(recorded)), recorded);
    assert.equal(recorded.status, null);
    assert.equal(recorded.failure?.message, 'No response arrived in time to [redacted].');
  });
});
