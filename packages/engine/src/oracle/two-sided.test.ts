import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Exchange } from '../http/exchange/exchange.ts';
import { judgeComputed } from './computed.ts';
import { judgeTwoSided } from './two-sided.ts';

interface Told {
  body: string;
  status?: number;
}

/** One request per label, with the label as its value. */
function answersOf(told: (label: string) => Told | null, labels: readonly string[]): Map<string, Exchange> {
  const answer = (label: string): Exchange => {
    const given = told(label);
    return {
      request: { method: 'GET', url: `http://shop.test/?q=${encodeURIComponent(label)}`, purpose: 'test' },
      response: given && { status: given.status ?? 200, headers: [], body: Buffer.from(given.body), isCut: false },
      failure: given ? null : { code: 'TIMEOUT', message: '' },
      remote: null,
      firstByteMs: 1,
      durationMs: 1,
    };
  };
  return new Map(labels.map((label) => [label, answer(label)]));
}

const sides = { trues: ['yes-1', 'yes-2'], falses: ['no-1', 'no-2'], broken: ['odd-1'], harmless: ['plain'] };
const labels = [...sides.trues, ...sides.falses, ...sides.broken, ...sides.harmless];
const judge = (told: (label: string) => Told | null) => judgeTwoSided(answersOf(told, labels), sides);
const isTrue = (label: string) => label.startsWith('yes');

describe('answers with two sides', () => {
  it('prove that a condition is evaluated', () => {
    assert.equal(
      judge((label) => ({ body: isTrue(label) ? 'Sencha' : '' })),
      'PROVED',
    );
  });

  it('prove it also when each shows what it was asked for', () => {
    assert.equal(
      judge((label) => ({ body: `${isTrue(label) ? 'Sencha' : ''} for ${label}` })),
      'PROVED',
    );
  });

  it('prove it also when all they show is what was searched for', () => {
    assert.equal(
      judge((label) => ({ body: `Found: ${isTrue(label) ? 'plain' : ''}` })),
      'PROVED',
    );
  });

  const refuted: [string, (label: string) => Told][] = [
    ['when all are the same', () => ({ body: 'Sencha' })],
    ['when they only show what they were asked for', (label) => ({ body: `Nothing for ${label}` })],
    ['when each is another one', (label) => ({ body: `${label.length} ${label.split('').toReversed().join('')}` })],
    ['when one of the true ones differs', (label) => ({ body: label === 'yes-2' || !isTrue(label) ? '' : 'Sencha' })],
    ['when one of the false ones differs', (label) => ({ body: isTrue(label) || label === 'no-2' ? 'Sencha' : '' })],
    ['when what is no condition is as good', (label) => ({ body: label.startsWith('no') ? '' : 'Sencha' })],
  ];
  for (const [name, told] of refuted) it(`prove nothing ${name}`, () => assert.equal(judge(told), 'REFUTED'));

  it('say nothing when one is missing or was refused', () => {
    const told = (label: string) => ({ body: isTrue(label) ? 'Sencha' : '' });
    assert.equal(
      judge((label) => (label === 'no-2' ? null : told(label))),
      'VOID',
    );
    for (const status of [401, 403, 406, 429, 503]) {
      assert.equal(
        judge((label) => (isTrue(label) || label === 'plain' ? told(label) : { body: 'Blocked', status })),
        'VOID',
      );
    }
    assert.equal(judgeTwoSided(new Map(), sides), 'VOID');
  });

  it('may be refusals where a harmless request gets the same: that is how the target says no', () => {
    assert.equal(
      judge((label) => (isTrue(label) ? { body: 'Welcome' } : { body: 'Wrong password', status: 401 })),
      'PROVED',
    );
  });
});

describe('a computed value', () => {
  const told = (attack: Told | null, control: Told | null) =>
    judgeComputed(
      answersOf((label) => (label === 'attack' ? attack : control), ['attack', 'control']),
      { attack: '42' },
      ['control'],
    );

  it('proves only where it was asked for', () => {
    assert.equal(told({ body: 'it is 42' }, { body: 'nothing' }), 'PROVED');
    assert.equal(told({ body: 'it is 42' }, { body: 'always 42' }), 'REFUTED');
    assert.equal(told({ body: 'nothing' }, { body: 'nothing' }), 'REFUTED');
  });

  it('that was not asked for, or refused, says nothing', () => {
    assert.equal(told({ body: 'Blocked', status: 403 }, { body: 'nothing' }), 'VOID');
    assert.equal(told(null, { body: 'nothing' }), 'VOID');
    assert.equal(told({ body: '42' }, null), 'VOID');
    assert.equal(judgeComputed(new Map(), { attack: '42' }, []), 'VOID');
  });
});
