import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { claim } from '@sortie/testing/engine/claims.ts';

const markup = '<img src onerror={{script}}>';
const injected = (attack: object) => ({
  class: 'script-injection',
  steps: [
    { key: 'control', label: 'control', path: '/search', query: { q: 'tea' } },
    { key: 'attack', label: 'attack', path: '/search', ...attack },
  ],
  oracle: { kind: 'script', attack: 'attack', control: 'control' },
});

describe('a script', () => {
  it('is confirmed if a link makes it run', async () => {
    const { verdict, reason } = await claim(injected({ query: { q: markup } }), () => ({}), { runs: () => true });
    assert.equal(verdict, 'CONFIRMED', reason);
  });

  it('proves nothing if it does not run', async () => {
    assert.equal(
      (await claim(injected({ query: { q: markup } }), () => ({}), { runs: () => false })).verdict,
      'NOTHING',
    );
  });

  for (const [what, attack] of [
    ['a header', { headers: { 'X-Title': markup } }],
    ['a body', { method: 'POST', form: { q: markup } }],
  ] as const) {
    it(`is FIRM at most with ${what} that no link can send`, async () => {
      const { verdict, reason } = await claim(injected(attack), () => ({}), { runs: () => true });
      assert.equal(verdict, 'FIRM', reason);
    });
  }
});
