import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Asked, type ClaimTarget, claim } from '@sortie/testing/engine/claims.ts';

interface Note {
  by: string | null;
  text: string;
}

const page = (body: string, status = 200) => ({ status, headers: { 'content-type': 'text/html' }, body });
const moved = (location: string) => ({ status: 303, headers: { location } });
const refused = page('This is not yours.', 403);

/** A target with notes that only their owner reads at their own address, and what else it has. */
function notes(more: (asked: Asked, kept: readonly Note[]) => ReturnType<typeof page> | undefined): ClaimTarget {
  const kept: Note[] = [];
  return (asked) => {
    const { as, method, path, form } = asked;
    if (method === 'POST' && path === '/notes') {
      kept.push({ by: as, text: form.get('text') ?? '' });
      return moved(`/notes/${kept.length - 1}`);
    }
    const other = more(asked, kept);
    if (other) return other;
    const note = kept[Number(/^\/notes\/(\d+)$/.exec(path)?.[1] ?? -1)];
    if (!note)
      return page(path === '/notes' ? '<a href="/notes">Notes</a>' : 'Not found.', path === '/notes' ? 200 : 404);
    return note.by === as ? page(`<p>${note.text}</p>`) : refused;
  };
}

const take = [{ name: 'id', from: 'location', by: '/(\\w+)$' }];
const step = (key: string, as: string | null, path: string, more: object = {}) => ({
  key,
  label: key,
  as,
  path,
  ...more,
});
const write = (key: string, as: string, text: string, more: object = {}) =>
  step(key, as, '/notes', { method: 'POST', form: { text }, take, ...more });

interface Claiming {
  home?: string;
  write?: object;
  before?: object[];
  attacker?: string | null;
}

/** Alice writes, bob reads at `attack`. */
function canary(
  attack: string,
  honest: string,
  { home = '/notes/{{write.id}}', attacker = 'bob', ...more }: Claiming = {},
) {
  return {
    class: 'object-access',
    steps: [
      write('write', 'alice', '{{word}}', more.write),
      step('home', 'alice', home),
      ...(attacker === null ? [] : [write('own', attacker, 'mine')]),
      ...(more.before ?? []),
      step('honest', attacker, honest),
      step('attack', attacker, attack),
      step('refused', attacker, home),
    ],
    oracle: { kind: 'canary', write: 'write', home: 'home', attack: 'attack', honest: 'honest', refused: 'refused' },
  };
}

const idIn = ({ path }: Asked, pattern: RegExp) => Number(pattern.exec(path)?.[1] ?? -1);
const [ATTACK, HONEST] = ['/print/{{write.id}}', '/print/{{own.id}}'];
const printed = notes((asked, kept) => {
  if (asked.as === null) return refused;
  const note = kept[idIn(asked, /^\/print\/(\d+)$/)];
  return note && page(note.text);
});

describe('a canary', () => {
  it('is confirmed where another account reads what the target refuses it', async () => {
    const { verdict, reason } = await claim(canary(ATTACK, HONEST), printed);
    assert.equal(verdict, 'CONFIRMED', reason);
  });

  const shown = (is: (asked: Asked) => boolean) =>
    notes((asked, kept) => {
      const note = kept[idIn(asked, /^\/print\/(\d+)$/)];
      return note && (is(asked) ? page(note.text) : refused);
    });
  const decoys: [string, ClaimTarget, object, RegExp][] = [
    ['pages that visitors may read', shown(() => true), canary(ATTACK, HONEST), /visitors without an account/],
    [
      'a visitor who reads them',
      shown(() => true),
      canary(ATTACK, '/notes', { attacker: null }),
      /sent by a visitor, who may read/,
    ],
    [
      'pages of an account with more rights',
      shown(({ as }) => as === 'bob'),
      canary(ATTACK, HONEST),
      /refuses attack to the owner/,
    ],
    [
      'pages that the target lists for each member',
      notes((asked, kept) => {
        if (asked.as === null) return refused;
        if (asked.path === '/print') return page(kept.map((_, id) => `<a href="/print/${id}">${id}</a>`).join(''));
        const note = kept[idIn(asked, /^\/print\/(\d+)$/)];
        return note && page(note.text);
      }),
      canary(ATTACK, HONEST),
      /offers it to this account at \/print/,
    ],
    [
      'a home for editing that the target did not name',
      notes((asked, kept) => {
        if (asked.as === null) return refused;
        const [edited, read] = [idIn(asked, /^\/notes\/(\d+)\/edit$/), idIn(asked, /^\/notes\/(\d+)$/)];
        const note = kept[Math.max(edited, read)];
        if (!note) return undefined;
        return edited >= 0 && note.by !== asked.as ? refused : page(note.text);
      }),
      canary('/notes/{{write.id}}', '/notes/{{own.id}}', { home: '/notes/{{write.id}}/edit' }),
      /no address that the target named/,
    ],
    [
      'a home that shows a form for editing',
      notes((asked, kept) => {
        if (asked.as === null) return refused;
        const note = kept[idIn(asked, /^\/notes\/(\d+)$/)];
        if (note) return note.by === asked.as ? page(`<form><textarea>${note.text}</textarea></form>`) : refused;
        const read = kept[idIn(asked, /^\/print\/(\d+)$/)];
        return read && page(read.text);
      }),
      canary(ATTACK, HONEST),
      /in a form only/,
    ],
    [
      'a link with a secret that its owner was shown',
      notes((asked, kept) => {
        if (asked.as === null) return refused;
        const [, key] = /^\/feeds\/(\w+)$/.exec(asked.path) ?? [];
        if (key === undefined) return undefined;
        const owner = key === 'a1b2c3d4e5' ? 'alice' : 'bob';
        return page(kept.flatMap(({ by, text }) => (by === owner ? [text] : [])).join(' '));
      }),
      canary('/feeds/a1b2c3d4e5', '/feeds/z9y8x7w6v5'),
      /something like a token/,
    ],
    [
      'what its owner has published in the write',
      printed,
      canary(ATTACK, HONEST, { write: { form: { text: '{{word}}', visibility: 'public' } } }),
      /write chooses form visibility by itself/,
    ],
  ];
  for (const [what, target, experiment, expected] of decoys) {
    it(`is FIRM at most at ${what}`, async () => {
      const { verdict, reason } = await claim(experiment, target);
      assert.ok(verdict === 'FIRM' || verdict === 'NOTHING', `${verdict}: ${reason}`);
      assert.match(reason, expected);
    });
  }

  it('proves nothing where each account has an address of its own', async () => {
    const kept: Note[] = [];
    const own: ClaimTarget = ({ as, method, path, form }) => {
      if (as === null) return refused;
      if (method === 'POST') {
        kept.push({ by: as, text: form.get('text') ?? '' });
        return moved(`/my/notes/${kept.length - 1}`);
      }
      const note = kept[Number(/(\d+)$/.exec(path)?.[1] ?? -1)];
      if (!note || (path.startsWith('/my/') && note.by !== as)) return page('Not found.', 404);
      return page(note.text);
    };
    const experiment = canary('/notes/{{write.id}}', '/notes/{{own.id}}', { home: '/my/notes/{{write.id}}' });
    const { verdict, reason } = await claim(experiment, own);
    assert.equal(verdict, 'FIRM');
    assert.match(reason, /means something else for each account/);
  });

  it('is not confirmed by a page that repeats a word which the response to the write contains', async () => {
    const echo = notes(({ method, path, query }) => {
      if (method !== 'GET' || path !== '/search') return undefined;
      return page(`Nothing found for ${query.get('q')}`);
    });
    const repeated: ClaimTarget = (asked) => {
      const answer = echo(asked);
      if (asked.method !== 'POST' || 'then' in answer) return answer;
      return {
        ...answer,
        headers: { ...answer.headers, location: `${answer.headers?.location}?said=${asked.form.get('text')}` },
      };
    };
    const said = [
      { name: 'id', from: 'location', by: '/(\\d+)' },
      { name: 'said', from: 'location', by: 'said=(.*)$' },
    ];
    const experiment = canary('/search?q={{write.said}}', '/search?q=tea', {
      ...{ home: '/notes/{{write.id}}?said={{write.said}}', write: { take: said } },
    });
    const { verdict, reason } = await claim(experiment, repeated);
    assert.deepEqual([verdict, /part of the word/.test(reason)], ['NOTHING', true], reason);
  });

  it('is refused if the owner writes something that may give access, or honest is another request', async () => {
    const share = step('share', 'alice', '/notes/{{write.id}}/share', { method: 'POST', form: { with: 'bob' } });
    const shared = await claim(canary(ATTACK, HONEST, { before: [share] }), printed);
    assert.deepEqual([shared.verdict, /share writes as another account/.test(shared.reason)], ['REFUSED', true]);
    const other = await claim(canary(`${ATTACK}?all=1&deep=1`, '/'), printed);
    assert.match(other.reason, /honest must differ from attack in one part at most/);
  });
});
