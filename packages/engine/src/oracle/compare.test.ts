import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Exchange } from '../http/exchange/exchange.ts';
import { type ComparedAnswer, isSame, toAnswer } from './compare.ts';

interface Given {
  status?: number;
  type?: string;
  location?: string;
  noise?: string[];
  date?: string;
}

function answer(
  body: string,
  { status = 200, type = 'text/html', location = '', noise = [], date }: Given = {},
): ComparedAnswer {
  const exchange: Exchange = {
    request: { method: 'GET', url: 'http://shop.test/', purpose: 'test' },
    response: {
      status,
      headers: [
        ['CONTENT-TYPE', type],
        ['Location', location],
        ...(date === undefined ? [] : [['Date', date] as const]),
      ],
      body: Buffer.from(body),
      isCut: false,
    },
    failure: null,
    remote: null,
    firstByteMs: 1,
    durationMs: 1,
  };
  return toAnswer(exchange, noise) as ComparedAnswer;
}

const json = { type: 'application/json' };
const long = Array.from({ length: 200 }, (_, n) => `word${n}`).join(' ');

describe('two answers are the same', () => {
  it('when only the time of the response differs, which is not the time of something else', () => {
    const error = (time: string, date: string) => answer(`{"timestamp":"${time}","error":"broken"}`, { ...json, date });
    const [first, second] = ['Wed, 18 Nov 2026 12:51:28 GMT', 'Wed, 18 Nov 2026 12:52:03 GMT'];
    for (const [one, other] of [
      ['2026-11-18T12:51:28.345+0000', '2026-11-18T12:52:03.001+0000'],
      ['2026-11-18T12:51:28Z', '2026-11-18T12:52:03Z'],
      ['2026-11-18 12:51:28', '2026-11-18 12:52:03'],
      ['1795006288345', '1795006323001'],
    ] as const) {
      assert.ok(isSame(error(one, first), error(other, second)), one);
      assert.ok(!isSame(error(one, 'no date'), error(other, 'no date')), one);
    }
    assert.ok(!isSame(error('2024-01-02T03:04:05Z', first), error('2024-01-03T03:04:05Z', second)));
  });

  it('when a reader sees the same, whatever the markup', () => {
    assert.ok(isSame(answer('<b>Tea</b><script>1</script>'), answer('<p class="x">Tea</p><script>2</script>')));
  });

  it('when a clock or a counter of a long page differs', () => {
    assert.ok(isSame(answer(`${long} 12:01`), answer(`${long} 12:02`)));
  });

  it('when a token is another one each time', () => {
    const told = (token: string) => answer(JSON.stringify({ token, user: 'alice' }), json);
    assert.ok(
      isSame(told('eyJhbGciOiJIUzI1NiJ9.eyJqdGkiOiI3YzFmIn0'), told('eyJhbGciOiJIUzI1NiJ9.eyJqdGkiOiJhMDIyIn0')),
    );
    assert.ok(isSame(told('f47ac10b-58cc-4372-a567-0e02b2c3d479'), told('9b2d4f6a-1c3e-4a5b-8d7f-2e4c6a8b0d1f')));
  });

  it('when both are empty', () => {
    assert.ok(isSame(answer(''), answer('')));
    assert.ok(isSame(answer('', json), answer('', json)));
  });

  it('when they differ only in what they were asked for, however it is repeated', () => {
    const [one, two] = [`a'b "c" d`, `completely different words`];
    const noise = [one, two];
    const ways: ((value: string) => string)[] = [
      (value) => `<p>Nothing for ${value.replaceAll('"', '&quot;')}</p>`,
      (value) => `<p>Nothing for ${encodeURIComponent(value)}</p>`,
      (value) => `<p>Nothing for ${new URLSearchParams({ q: value })}</p>`,
    ];
    for (const way of ways) assert.ok(isSame(answer(way(one), { noise }), answer(way(two), { noise })));
    const told = (value: string) => answer(JSON.stringify({ nothing: value }), { ...json, noise });
    assert.ok(isSame(told(one), told(two)));
    const sentTo = (value: string) => answer('', { status: 302, location: `/x?q=${encodeURIComponent(value)}`, noise });
    assert.ok(isSame(sentTo(one), sentTo(two)));
  });
});

describe('two answers differ', () => {
  it('in status or destination', () => {
    assert.ok(!isSame(answer('Tea'), answer('Tea', { status: 500 })));
    assert.ok(!isSame(answer('', { location: '/a' }), answer('', { location: '/b' })));
  });

  it('in what a reader sees', () => {
    assert.ok(!isSame(answer('Sencha is a fine tea'), answer('')));
    assert.ok(!isSame(answer(long), answer(`${long} ${long}`)));
    assert.ok(!isSame(answer('tea tea tea tea'), answer('tea')));
  });

  it('in one value of a short JSON text', () => {
    assert.ok(!isSame(answer('{"ok":true}', json), answer('{"ok":false}', json)));
    assert.ok(!isSame(answer('[]', json), answer('[{"id":7}]', json)));
  });

  it('in other scripts too', () => {
    assert.ok(!isSame(answer('緑茶'), answer('紅茶')));
  });
});

describe('an answer', () => {
  it('is none without a response', () => {
    const request = { method: 'GET', url: 'http://shop.test/', purpose: 'test' } as const;
    const failure = { code: 'TIMEOUT', message: '' } as const;
    assert.equal(
      toAnswer({ request, response: null, failure, remote: null, firstByteMs: null, durationMs: 1 }),
      undefined,
    );
  });

  it('has bounds', () => {
    assert.equal(answer('w '.repeat(1_000_000), json).words.length, 20_000);
  });
});
