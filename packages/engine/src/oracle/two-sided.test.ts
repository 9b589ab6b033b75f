import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Exchange } from '../http/exchange/exchange.ts';
import { judgeComputed } from './computed.ts';
import { judgeTwoSided } from './two-sided.ts';

interface Told {
  body: string;
  status?: number;
}

/** The response to a request with this value. */
function answerTo(value: string, given: Told | null): Exchange {
  return {
    request: { method: 'GET', url: `http://shop.test/?q=${encodeURIComponent(value)}`, purpose: 'test' },
    response: given && { status: given.status ?? 200, headers: [], body: Buffer.from(given.body), isCut: false },
    failure: given ? null : { code: 'TIMEOUT', message: '' },
    remote: null,
    firstByteMs: 1,
    durationMs: 1,
  };
}

function judge(told: (value: string) => Told | null) {
  const answersTo = (...values: string[]) => values.map((value) => answerTo(value, told(value)));
  return judgeTwoSided({
    trues: answersTo('yes-1', 'yes-2'),
    falses: answersTo('no-1', 'no-2'),
    broken: answersTo('odd-1'),
    harmless: answersTo('plain'),
  });
}
const isTrue = (value: string) => value.startsWith('yes');

describe('answers with two sides', () => {
  it('prove that a condition is evaluated', () => {
    assert.equal(
      judge((value) => ({ body: isTrue(value) ? 'Sencha' : '' })),
      'PROVED',
    );
  });

  it('prove it also when each shows what it was asked for', () => {
    assert.equal(
      judge((value) => ({ body: `${isTrue(value) ? 'Sencha' : ''} for ${value}` })),
      'PROVED',
    );
  });

  it('prove it also when all they show is what was searched for', () => {
    assert.equal(
      judge((value) => ({ body: `Found: ${isTrue(value) ? 'plain' : ''}` })),
      'PROVED',
    );
  });

  const refuted: [string, (value: string) => Told][] = [
    ['when all are the same', () => ({ body: 'Sencha' })],
    ['when they only show what they were asked for', (value) => ({ body: `Nothing for ${value}` })],
    ['when each is another one', (value) => ({ body: `${value.length} ${value.split('').toReversed().join('')}` })],
    ['when one of the true ones differs', (value) => ({ body: value === 'yes-2' || !isTrue(value) ? '' : 'Sencha' })],
    ['when one of the false ones differs', (value) => ({ body: isTrue(value) || value === 'no-2' ? 'Sencha' : '' })],
    ['when what is no condition is as good', (value) => ({ body: value.startsWith('no') ? '' : 'Sencha' })],
  ];
  for (const [name, told] of refuted) it(`prove nothing ${name}`, () => assert.equal(judge(told), 'REFUTED'));

  it('say nothing when one is missing or was refused', () => {
    const told = (value: string) => ({ body: isTrue(value) ? 'Sencha' : '' });
    assert.equal(
      judge((value) => (value === 'no-2' ? null : told(value))),
      'VOID',
    );
    for (const status of [401, 403, 406, 429, 503]) {
      assert.equal(
        judge((value) => (isTrue(value) || value === 'plain' ? told(value) : { body: 'Blocked', status })),
        'VOID',
      );
    }
  });

  it('may be refusals where a harmless request gets the same: that is how the target says no', () => {
    assert.equal(
      judge((value) => (isTrue(value) ? { body: 'Welcome' } : { body: 'Wrong password', status: 401 })),
      'PROVED',
    );
  });
});

describe('a computed value', () => {
  const told = (attack: Told, control: Told) =>
    judgeComputed([[answerTo('attack', attack), '42']], [answerTo('control', control)]);

  it('proves only where it was asked for', () => {
    assert.equal(told({ body: 'it is 42' }, { body: 'nothing' }), 'PROVED');
    assert.equal(told({ body: 'it is 42' }, { body: 'always 42' }), 'REFUTED');
    assert.equal(told({ body: 'nothing' }, { body: 'nothing' }), 'REFUTED');
  });

  it('that was refused says nothing', () => {
    assert.equal(told({ body: 'Blocked', status: 403 }, { body: 'nothing' }), 'VOID');
  });
});
