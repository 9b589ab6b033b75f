import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Asked, type ClaimTarget, claim } from '@sortie/testing/engine/claims.ts';

const page = (body: string, status = 200) => ({ status, headers: { 'content-type': 'text/html' }, body });
const refused = page('Only editors pin notices.', 403);

/** A board of notices that admin may pin; others may where `may` says so. */
function board(may: (asked: Asked) => boolean): ClaimTarget {
  const pinned: string[] = [];
  return (asked) => {
    if (asked.path === '/search') return page(`Nothing found for ${asked.query.get('q')}`);
    if (asked.method === 'GET') return page(`<ul>${pinned.map((text) => `<li>${text}</li>`).join('')}</ul>`);
    if (!may(asked) && asked.as !== 'admin') return refused;
    pinned.push(asked.form.get('text') ?? '');
    return page('Pinned.');
  };
}

const post = (key: string, as: string, word: string, more: object = {}, path = '/notices') => ({
  ...{ key, label: key, as, method: 'POST', path, form: { text: `{{${word}}}`, ...more } },
});
const seen = { key: 'seen', label: 'seen', as: 'alice', path: '/notices' };
const allowed = post('allowed', 'admin', 'word');
const denied = post('refused', 'alice', 'word2');
const forced = (attack: object, steps: object[] = [allowed, denied, attack, seen]) => ({
  class: 'function-access',
  steps,
  oracle: { kind: 'forbidden', attack: 'attack', seen: 'seen', refused: 'refused', allowed: 'allowed' },
});
const isEditor = ({ form }: Asked) => form.get('role') === 'editor';

/** After each notice of admin, the second try of another account is accepted, whatever it sends. */
function patient(): ClaimTarget {
  let tries = 0;
  return board(({ as }) => {
    tries = as === 'admin' ? 0 : tries + 1;
    return tries > 1;
  });
}

describe('a forbidden action', () => {
  const attacks: [string, object, ClaimTarget][] = [
    ['a role that the request states', post('attack', 'alice', 'word3', { role: 'editor' }), board(isEditor)],
    [
      'a header',
      { ...post('attack', 'alice', 'word3'), headers: { 'X-Forwarded-For': '127.0.0.1' } },
      board(({ headers }) => headers.get('x-forwarded-for') === '127.0.0.1'),
    ],
    [
      'another writing of the path',
      post('attack', 'alice', 'word3', {}, '/NOTICES/'),
      board(({ path }) => path === '/NOTICES/'),
    ],
  ];
  for (const [what, attack, target] of attacks) {
    it(`is confirmed if ${what} forces it`, async () => {
      const { verdict, reason } = await claim(forced(attack), target);
      assert.equal(verdict, 'CONFIRMED', reason);
    });
  }

  const decoys: [string, object, ClaimTarget][] = [
    [
      'another function at another path',
      post('attack', 'alice', 'word3', {}, '/comments'),
      board(({ path }) => path === '/comments'),
    ],
    [
      'a field that names another place',
      post('attack', 'alice', 'word3', { board: 'public' }),
      board(({ form }) => form.get('board') === 'public'),
    ],
    [
      'a proposal that others may make',
      post('attack', 'alice', 'word3', { draft: 'true' }),
      board(({ form }) => form.has('draft')),
    ],
    [
      'a key that admin was shown',
      { ...post('attack', 'alice', 'word3'), headers: { 'X-Key': 'key-4f7d92ab' } },
      board(({ headers }) => headers.get('x-key') === 'key-4f7d92ab'),
    ],
    ['an account that has got the right in between', post('attack', 'alice', 'word3', { role: 'editor' }), patient()],
  ];
  for (const [what, attack, target] of decoys) {
    it(`is FIRM at most for ${what}`, async () => {
      const { verdict, reason } = await claim(forced(attack), target);
      assert.ok(verdict === 'FIRM' || verdict === 'NOTHING', `${verdict}: ${reason}`);
    });
  }

  it('is not confirmed by a page that repeats words', async () => {
    const take = [{ name: 'said', from: 'text', by: '(s\\w{12})' }];
    const preview = (step: object) => ({ ...step, take });
    const attack = preview(post('attack', 'alice', 'word3', { role: 'editor' }));
    const steps = [
      preview(allowed),
      denied,
      attack,
      { ...seen, path: '/search', query: { q: '{{allowed.said}} {{attack.said}}' } },
    ];
    const target: ClaimTarget = ({ method, as, form, query }) => {
      if (method === 'GET') return page(`Nothing found for ${query.get('q')}`);
      return as === 'admin' || form.has('role') ? page(`Preview: ${form.get('text')}`) : refused;
    };
    const { verdict, reason } = await claim(forced(attack, steps), target);
    assert.deepEqual([verdict, /may only repeat it/.test(reason)], ['NOTHING', true], reason);
  });

  it('needs the refusal before attack', async () => {
    const attack = post('attack', 'alice', 'word3', { role: 'editor' });
    const { verdict, reason } = await claim(forced(attack, [allowed, attack, denied, seen]), board(isEditor));
    assert.deepEqual([verdict, reason], ['REFUSED', 'refused must be sent before attack.']);
  });
});
