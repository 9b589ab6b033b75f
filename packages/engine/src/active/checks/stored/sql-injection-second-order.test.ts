import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openLabs } from '@sortie/testing/engine/labs.ts';
import type { ActiveCheck } from '../../define-active-check.ts';
import type { LabAnswer, LabRequest, RequestLab } from '../../lab.ts';
import { asPage, openTeaShop } from '../../labs/sql.ts';
import check from './sql-injection-second-order.ts';

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
const html = (body: string): LabAnswer => ({ headers: { 'content-type': 'text/html' }, body });
const ask = openTeaShop(asPage);
let visits = 0;

interface Context {
  value: string;
  /** The other page. */
  page(stored: string): LabAnswer;
  /** Whether the profile shows no value. */
  isHidden?: true;
}

const isFound: Record<string, Context> = {
  'a text': { value: 'green', page: (kind) => ask(`select name from tea where kind = '${kind}' order by id`) },
  'a text in double quotes': { value: 'green', page: (kind) => ask(`select name from tea where kind = "${kind}"`) },
  'a page that shows the value as well': {
    value: 'green',
    page: (kind) => {
      const { body = '' } = ask(`select name from tea where kind = '${kind}'`);
      return html(`<h1>Teas like ${escaped(kind)}</h1>${body}`);
    },
  },
};
const isNotFound: Record<string, Context> = {
  'a page that only shows the value': { value: 'green', page: (kind) => html(`<h1>Teas like ${escaped(kind)}</h1>`) },
  'a page that differs at each visit': {
    value: 'green',
    page: () => html(`<p>${['one', 'two', 'more'][visits++ % 3]} teas</p>`),
  },
  'a search for each word': {
    value: 'green',
    page: (kind) => html(`<p>${/\bgreen\b/.test(kind) ? 'Sencha' : 'Nothing'}</p>`),
  },
  'a page that tells the length': { value: 'green', page: (kind) => html(`<p>${kind.length} letters</p>`) },
  'a value that the profile does not show': {
    value: 'green',
    page: (kind) => ask(`select name from tea where kind = '${kind}'`),
    isHidden: true,
  },
};

const written = new Map<string, string[]>();

function labOf(name: string, { value, page, isHidden }: Context): RequestLab {
  let stored = value;
  const own: string[] = [];
  written.set(name, own);
  const answer = ({ method, path, body }: LabRequest): LabAnswer => {
    if (method === 'POST') {
      stored = new URLSearchParams(body).get('kind') ?? '';
      own.push(stored);
      return { status: 303, headers: { location: 'profile' } };
    }
    if (path === '/favourites') return page(stored);
    return html(`<form method="post"><input name="kind" value="${isHidden ? '' : escaped(stored)}"></form>`);
  };
  const lab = check.lab();
  const parameters = [{ location: 'form' as const, name: 'kind', value }];
  const item = { ...lab.item, parameters, body: { type: 'application/x-www-form-urlencoded', text: `kind=${value}` } };
  return { ...lab, item, vulnerable: answer, safe: answer };
}

const cases = Object.entries({ ...isFound, ...isNotFound }).map(([name, context], index) => {
  const lab = labOf(name, context);
  return { name, context, check: { ...check, id: `case-${index}`, lab: () => lab } as typeof check };
});

let labs: Awaited<ReturnType<typeof openLabs>>;
before(async () => {
  labs = await openLabs(cases.map((each) => each.check as unknown as ActiveCheck));
});
after(() => labs.close());

describe('second-order SQL injection', () => {
  for (const { name, context, check: one } of cases) {
    it(`is ${name in isFound ? 'found' : 'not found'} in ${name}`, async () => {
      const { isApplied, verified, requests } = await labs.test(one, 'vulnerable');
      assert.equal(isApplied, true);
      assert.equal(verified?.confidence, name in isFound ? 'CONFIRMED' : undefined);
      assert.ok(requests <= one.maxRequests, `${requests} requests`);
      const values = written.get(name) ?? [];
      if (!context.isHidden) assert.equal(values.at(-1), context.value, 'the value is written back');
      // No value reaches further rows than the original one, whatever the statement does with them.
      for (const value of values) assert.doesNotMatch(value, /\bor\b|--|#|;|\/\*/i);
    });
  }

  it('writes nothing that it could not restore', () => {
    assert.deepEqual(written.get('a value that the profile does not show'), []);
  });
});
