import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ClaimTarget, claim } from '@sortie/testing/engine/claims.ts';

const KEYS = ['d1', 'd2', 'd3', 'd4', 'd5', 'd6'];
const timed = (request: object) => ({
  class: 'delayed-injection',
  steps: KEYS.map((key): object => ({ key, label: key, path: '/items', ...request })),
  oracle: { kind: 'timing', delays: KEYS },
});
const SLEEP = `tea' and sleep({{delay}})#`;

const flawed: ClaimTarget = ({ query }) => {
  const [, seconds = '0'] = /^\w+' and sleep\((\d+)\)/.exec(query.get('q') ?? '') ?? [];
  return { seconds: 0.02 + Number(seconds) };
};

describe('a delay', () => {
  it('is confirmed where an interpreter waits', async () => {
    const { verdict, reason } = await claim(timed({ query: { q: SLEEP } }), flawed);
    assert.equal(verdict, 'CONFIRMED', reason);
  });

  const decoys: [string, ClaimTarget, object][] = [
    [
      'a long poll that lasts as long as it is asked to',
      ({ query }) => ({ seconds: 0.02 + Number(query.get('timeout')) }),
      { query: { timeout: '{{delay}}' } },
    ],
    [
      'a long poll that reads the number in any text',
      ({ query }) => ({ seconds: 0.02 + Number(/\d+/.exec(query.get('timeout') ?? '')?.[0] ?? 0) }),
      { query: { timeout: SLEEP } },
    ],
    [
      'a preference that HTTP knows',
      ({ headers }) => ({ seconds: 0.02 + Number(/^wait=(\d+)$/.exec(headers.get('prefer') ?? '')?.[1] ?? 0) }),
      { headers: { Prefer: 'wait={{delay}}' } },
    ],
    [
      'a page of a delay',
      ({ path }) => ({ seconds: 0.02 + Number(/^\/delay\/(\d+)$/.exec(path)?.[1] ?? 0) }),
      { path: '/delay/{{delay}}' },
    ],
    [
      'a parameter in the path',
      ({ query }) => ({ seconds: 0.02 + Number(query.get('wait')) }),
      { path: '/poll?wait={{delay}}' },
    ],
  ];
  for (const [what, target, request] of decoys) {
    it(`is not confirmed at ${what}`, async () => {
      const { verdict, reason } = await claim(timed(request), target);
      assert.ok(verdict === 'FIRM' || verdict === 'NOTHING', `${verdict}: ${reason}`);
    });
  }

  it('is not confirmed by response times that were known before', async () => {
    // Of the six, and of the two requests that are added.
    const known = [0, 1, 3, 1, 4, 0, 0, 0];
    for (let round = 0; round < 20; round++) {
      let count = 0;
      const { verdict } = await claim(timed({ query: { q: SLEEP } }), () => ({
        seconds: 0.02 + (known[count++ % known.length] ?? 0),
      }));
      assert.notEqual(verdict, 'CONFIRMED');
    }
  });

  it('may not be one of requests that differ, or that others interrupt', async () => {
    const sixth = { key: 'd6', label: 'd6', path: '/items', query: { q: SLEEP }, as: 'alice' };
    const mixed = timed({ query: { q: SLEEP } });
    mixed.steps[5] = sixth;
    assert.equal((await claim(mixed, flawed)).reason, 'The six requests must be the same.');
    const interrupted = timed({ query: { q: SLEEP } });
    interrupted.steps.splice(3, 0, { key: 'busy', label: 'busy', path: '/export' });
    assert.match((await claim(interrupted, flawed)).reason, /No other step may be between the six/);
  });
});
