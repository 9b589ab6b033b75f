import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { type ClaimTarget, claim } from '@sortie/testing/engine/claims.ts';

const text = (body: string, status = 200) => ({ status, headers: { 'content-type': 'text/plain' }, body });
const get = (key: string, q: string) => ({ key, label: key, path: '/items', query: { q } });

const oracle = { kind: 'condition', trues: ['t', 't2'], falses: ['f', 'f2'], plain: 'plain' };
const conditions = (template: string, plain: string, between: object[] = []) => {
  const isFalse = template.replace(/\{\{number\}\}(?!.*\{\{number\}\})/s, '{{number2}}');
  const steps = [get('plain', plain), get('t', template), get('t2', template), ...between];
  return { class: 'condition-injection', steps: [...steps, get('f', isFalse), get('f2', isFalse)], oracle };
};

const COMPARED = /(['"]?)(\d+)\1\s*(=|<|>)\s*['"]?(\d+)/;
function isTrue(comparison: string): boolean {
  const [, , a, operator, b] = COMPARED.exec(comparison) ?? [];
  if (operator === '=') return a === b;
  return operator === '<' ? Number(a) < Number(b) : Number(a) > Number(b);
}

/** As a database finds rows by `where name = '…'`. */
const flawed: ClaimTarget = ({ query }) => {
  const q = query.get('q') ?? '';
  const [, name, rest = ''] = /^(\w+)(?:'? and (.*))?$/s.exec(q) ?? [];
  const isFound = name === 'tea' && (rest === '' || isTrue(rest));
  return text(isFound ? 'Tea is in stock at all of our shops.' : 'There is no such item.');
};

describe('a condition', () => {
  for (const [what, template] of [
    ['a number', 'tea and {{number}}={{number}}'],
    ['a text', `tea' and '{{number}}'='{{number}}`],
  ] as const) {
    it(`is confirmed where an interpreter evaluates it after ${what}`, async () => {
      const { verdict, reason } = await claim(conditions(template, 'tea'), flawed);
      assert.equal(verdict, 'CONFIRMED', reason);
    });
  }

  const pair = /^(?:\w+ )?'?(\d+)'?=+'?(\d+)'?$/;
  const decoys: [string, ClaimTarget, object][] = [
    [
      'a field that compares two values on purpose',
      ({ query }) => {
        const [, a, b] = pair.exec(query.get('q') ?? '') ?? [];
        return text(a === b ? 'Both are the same thing.' : 'They differ from each other.');
      },
      conditions('compare {{number}}={{number}}', 'compare'),
    ],
    [
      'a language for filters',
      ({ query }) => {
        const parts = (query.get('q') ?? '').split(' and ');
        const holds = parts.every((part) => (part === 'true' ? true : isTrue(part)));
        return text(holds ? 'All of the items are listed here.' : 'Nothing fits the filter.');
      },
      conditions('true and {{number}}={{number}}', 'true'),
    ],
    [
      'pages that users get by a number computed from the address',
      ({ query }) => {
        const [first = 0] = createHash('sha256')
          .update(query.get('q') ?? '')
          .digest();
        return text(first % 2 === 0 ? 'Welcome to the new design of the shop.' : 'This is our shop.');
      },
      conditions('tea and {{number}}={{number}}', 'tea'),
    ],
  ];
  for (const [what, target, experiment] of decoys) {
    it(`is not confirmed at ${what}`, async () => {
      for (let round = 0; round < 20; round++) {
        const { verdict, reason } = await claim(experiment, target);
        assert.ok(verdict === 'FIRM' || verdict === 'NOTHING', `${verdict}: ${reason}`);
      }
    });
  }

  it('is not confirmed by what another request has changed in between', async () => {
    let items = 0;
    const counting: ClaimTarget = ({ method }) => {
      if (method === 'POST') items++;
      return text(items % 2 === 0 ? 'The list of items is empty now.' : 'Something was put here today.');
    };
    const between = [{ key: 'add', label: 'add', as: 'alice', method: 'POST', path: '/items', form: { name: 'x' } }];
    const { verdict } = await claim(conditions('tea and {{number}}={{number}}', 'tea', between), counting);
    assert.equal(verdict, 'NOTHING');
  });

  it('may not compare two fields, as those of a new password are', async () => {
    const fields = (key: string, b: string) => ({ ...get(key, '{{number}}'), query: { a: '{{number}}', b } });
    const steps = [
      get('plain', 'tea'),
      ...['t', 't2'].map((key) => fields(key, '{{number}}')),
      ...['f', 'f2'].map((key) => fields(key, '{{number2}}')),
    ];
    const { verdict, reason } = await claim({ ...conditions('', ''), steps }, ({ query }) =>
      text(query.get('a') === query.get('b') ? 'Saved.' : 'The passwords differ.'),
    );
    assert.equal(verdict, 'REFUSED');
    assert.match(reason, /The comparison must be in one value/);
  });

  it('needs a usual value at the same place, and one account', async () => {
    const other = conditions('tea and {{number}}={{number}}', 'tea');
    other.steps[0] = { ...get('plain', 'tea'), path: '/other' };
    assert.match((await claim(other, flawed)).reason, /plain must be the request of the conditions/);
    const mixed = conditions('tea and {{number}}={{number}}', 'tea');
    const last = mixed.steps.at(-1) ?? assert.fail();
    mixed.steps[4] = { ...last, ...{ as: 'alice' } };
    assert.match((await claim(mixed, flawed)).reason, /Requests may differ/);
  });

  it('is told of a parameter that is hidden behind another one of its name', async () => {
    const doubled = conditions('tea and {{number}}={{number}}', 'tea');
    doubled.steps = doubled.steps.map((step) => ({ ...step, path: `/items?q=${(step as { key: string }).key}` }));
    assert.match((await claim(doubled, flawed)).reason, /the parameter q is there twice/);
  });
});
