import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ClaimTarget, claim } from '@sortie/testing/engine/claims.ts';

const text = (body: string) => ({ headers: { 'content-type': 'text/plain' }, body });
const get = (key: string, q: string, more: object = {}) => ({ key, label: key, path: '/page', query: { q }, ...more });
const evaluated = (attack: string, control: string, before: object[] = []) => ({
  class: 'evaluated-input',
  steps: [...before, get('attack', attack), get('control', control)],
  oracle: { kind: 'computed', attack: 'attack', control: 'control' },
});

const FORMULA = /(\d+)\s*\*\s*(\d+)(?:\s*-\s*(\d+))?/;
const compute = (formula: string) =>
  formula.replace(FORMULA, (_all, a, b, c = 0) => String(Number(a) * Number(b) - Number(c)));
const inTemplate = (value: string) => value.replace(/\$\{([^}]*)\}/g, (_all, formula: string) => compute(formula));

const template: ClaimTarget = ({ query }) => text(`Hello ${inTemplate(query.get('q') ?? '')}`);

describe('a computed value', () => {
  it('is confirmed where an interpreter evaluates the expression', async () => {
    const proved = await claim(evaluated(`\${{{number}}*{{number2}}}`, '{{number}} {{number2}}'), template);
    assert.deepEqual([proved.verdict, proved.requests], ['CONFIRMED', 8], proved.reason);
  });

  const decoys: [string, ClaimTarget, object][] = [
    [
      'a calculator',
      ({ query }) => text(compute(query.get('q') ?? '')),
      evaluated('{{number}}*{{number2}}', '{{number}} {{number2}}'),
    ],
    [
      'a command that computes',
      ({ query }) => text(query.get('q')?.startsWith('=calc ') ? compute(query.get('q') ?? '') : 'nothing'),
      evaluated('=calc {{number}}*{{number2}}', 'calc {{number}} {{number2}}'),
    ],
    [
      'a calculator that skips what it does not know',
      ({ query }) => text(compute((query.get('q') ?? '').replace(/[^\d*-]/g, ''))),
      evaluated(`\${{{number}}*{{number2}}}`, `\${{{number}}+{{number2}}}`),
    ],
    [
      'the area of a size',
      ({ query }) => {
        const [, a, b] = /^(\d+)x(\d+)$/.exec(query.get('q') ?? '') ?? [];
        return text(a === undefined ? 'no size' : `${Number(a) * Number(b)} square metres`);
      },
      evaluated('{{number}}x{{number2}}', '{{number}} {{number2}}'),
    ],
    [
      'a size in brackets, of which only the first two numbers are read',
      ({ query }) => {
        const [, a, b] = /^\[(\d+)\*(\d+)/.exec(query.get('q') ?? '') ?? [];
        return text(a === undefined ? 'no size' : `${Number(a) * Number(b)} square metres`);
      },
      evaluated('[{{number}}*{{number2}}]', '{{number}} {{number2}}'),
    ],
    [
      'a table of multiples',
      ({ query }) => {
        const first = Number(/^#(\d+)/.exec(query.get('q') ?? '')?.[1] ?? 1);
        return text(Array.from({ length: 10_000 }, (_, index) => first * index).join('\n'));
      },
      evaluated('#{{number}}*{{number2}}', '{{number}} {{number2}}'),
    ],
  ];
  for (const [what, target, experiment] of decoys) {
    it(`is not confirmed at ${what}`, async () => {
      const { verdict, reason } = await claim(experiment, target);
      assert.ok(verdict === 'FIRM' || verdict === 'NOTHING', `${verdict}: ${reason}`);
    });
  }

  it('may not be computed on purpose elsewhere and be sent', async () => {
    const before = [get('calc', '{{number}}*{{number2}}', { take: [{ name: 'is', from: 'text', by: '(\\d+)' }] })];
    const echo = evaluated('{{calc.is}} {{number}} {{number2}}', '{{number}} {{number2}}', before);
    const { verdict, reason } = await claim(echo, ({ query }) => text(compute(query.get('q') ?? '')));
    assert.equal(verdict, 'REFUSED');
    assert.match(reason, /Only attack and control may have the numbers/);
  });

  it('is not confirmed by the response to a control, which attack repeats', async () => {
    const steps = [
      get('control', '{{number}}*{{number2}}', { take: [{ name: 'is', from: 'location', by: '(\\d+)$' }] }),
      get('attack', '{{control.is}} {{number}} {{number2}}'),
    ];
    const { verdict, reason } = await claim({ ...evaluated('', ''), steps }, template);
    assert.deepEqual([verdict, reason], ['REFUSED', 'attack must have no value of the response to control.']);
  });

  it('needs a control at the same place, by the same account', async () => {
    const elsewhere = { ...evaluated('', ''), steps: [] as object[] };
    elsewhere.steps = [
      get('attack', `\${{{number}}*{{number2}}}`),
      { ...get('control', `\${{{number}}*{{number2}}}`), path: '/other' },
    ];
    assert.match((await claim(elsewhere, template)).reason, /only in the value with the numbers/);
    elsewhere.steps = [get('attack', `\${{{number}}*{{number2}}}`, { as: 'alice' }), get('control', '{{number}}')];
    assert.match((await claim(elsewhere, template)).reason, /account of attack/);
  });
});
