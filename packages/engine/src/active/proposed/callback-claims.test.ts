import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { claim } from '@sortie/testing/engine/claims.ts';

const post = (key: string, path: string, url: string) => ({
  ...{ key, label: key, as: 'alice', method: 'POST', path },
  form: { url },
});
const forged = (before: object[] = []) => ({
  class: 'request-forgery',
  steps: [...before, post('control', '/notes', 'none'), post('attack', '/notes', '{{callback}}')],
  oracle: { kind: 'callback', attack: 'attack', control: 'control' },
});

describe('a callback', () => {
  it('is FIRM at most: previews and web hooks contact addresses on purpose', async () => {
    const { verdict, reason } = await claim(forged(), () => ({}), { heard: ({ path }) => path === '/notes' });
    assert.deepEqual([verdict, reason], ['FIRM', 'The target contacted {{callback}}, which it may be meant to do.']);
  });

  it('counts for the step that sent its address only', async () => {
    const { verdict } = await claim(forged([post('hook', '/hooks', '{{callback}}')]), () => ({}), {
      heard: ({ path }) => path === '/hooks',
    });
    assert.equal(verdict, 'NOTHING');
  });
});
