import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Exchange } from '../exchange/exchange.ts';
import { maskForeign } from './mask-foreign.ts';
import { recordExchange } from './record.ts';
import { createRedactor } from './redactor.ts';

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJib2IifQ.c2lnbmF0dXJlLW9mLWJvYg';
const hash = `$2b$10$${'a'.repeat(53)}`;
const secrets = [
  `{"user":"bob","apiKey":"f3a9c1d2"}`,
  `{"user":"bob","password_hash":"5f4dcc3b5aa765d61d8327deb882cf99"}`,
  `{"session_id":"91c2f7b0"}`,
  `<td>${jwt}</td>`,
  `<td>${hash}</td>`,
  `-----BEGIN RSA PRIVATE KEY-----\nMIIBOgIBAAJBAK\n-----END RSA PRIVATE KEY-----`,
  'DB_PASSWORD=correct-horse',
  'Set JSESSIONID=0123ABCD; Path=/',
  'AKIAIOSFODNN7EXAMPLE',
];

describe('credentials of other people', () => {
  for (const text of secrets) {
    it(`are masked in ${text.slice(0, 40)}`, () => {
      assert.match(maskForeign(text), /\[redacted\]/);
      assert.doesNotMatch(
        maskForeign(text),
        /f3a9c1d2|5f4dcc3b|91c2f7b0|c2lnbmF0|\$2b\$|MIIBOg|correct-horse|0123ABCD|AKIAIOS/,
      );
    });
  }

  it('are masked in evidence', () => {
    const exchange: Exchange = {
      request: { method: 'GET', url: 'https://shop.example/users', purpose: 'test' },
      response: { status: 200, headers: [['X-Token', jwt]], body: Buffer.from(`{"token":"${jwt}"}`), isCut: false },
      failure: null,
      remote: null,
      firstByteMs: 1,
      durationMs: 1,
    };
    const recorded = recordExchange(exchange, createRedactor());
    assert.doesNotMatch(JSON.stringify(recorded), /eyJ/);
    assert.equal(recorded.responseBody, '{"token":"[redacted]"}');
  });

  it('are told apart from values of the run and from plain words', () => {
    const plain = ['{"token":"s0123456789ab<b>"}', '{"name":"Bob","note":"my secret garden"}', 'a token of love'];
    for (const text of plain) assert.equal(maskForeign(text), text);
  });

  it('are masked after the value of another field', () => {
    const url = maskForeign('path=/x?token=91c2f7b0 note: sid=91c2f7b0; user=bob&my_session_id=91c2f7b0');
    assert.equal(url, 'path=/x?token=[redacted] note: sid=[redacted]; user=bob&my_session_id=[redacted]');
    assert.equal(maskForeign('{"a":"b","token":"91\\"c2f7b0"}'), '{"a":"b","token":"[redacted]"}');
  });

  const hostile = [
    'token',
    ';token',
    '"token',
    '?a=',
    '"a":"',
    '-eyJ',
    'eyJtoken.',
    '-----BEGIN PRIVATE KEY-----',
    'token ',
  ];
  const SIZE = 1_000_000;
  const bodyOf = (part: string, bytes = SIZE) => part.repeat(Math.ceil(bytes / part.length));
  const spentOn = (text: string) => {
    const before = process.threadCpuUsage();
    maskForeign(text);
    const { user, system } = process.threadCpuUsage(before);
    return user + system;
  };
  for (const word of hostile) {
    it(`cost linear time in a body of 1 MB of ${word}`, () => {
      spentOn(bodyOf(word, 50_000));
      const spent = spentOn(bodyOf(word));
      const usual = spentOn(bodyOf('{"name":"Bob","note":"a plain text"}'));
      // Quadratic time would be hundreds of times the usual one.
      assert.ok(spent < usual * 10 + 400_000, `${spent} µs instead of ${usual} µs`);
    });
  }
});
