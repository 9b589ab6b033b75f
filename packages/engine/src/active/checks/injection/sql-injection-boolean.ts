import { areAlike, judgeTwoSided } from '../../../oracle/two-sided.ts';
import { at, definePointCheck, type Nonce, type Point } from '../../define-active-check.ts';
import { requestWith } from '../../insertion-point.ts';
import { asPage, openTeaShop } from '../../labs/sql.ts';
import {
  BOUNDARIES,
  type Boundary,
  isReading,
  nowhere,
  SQL_CVSS,
  SQL_FIX,
  SQL_LOCATIONS,
  SQL_MEANINGS,
  SQL_REFERENCES,
  SQL_WHY,
  unknownLike,
} from '../../shared/sql.ts';
import { mayMean } from '../../triage.ts';

/** OR is for values that find nothing; CASE replaces a number or a column name. */
interface Variant extends Boundary {
  join: 'AND' | 'OR' | 'CASE';
}

const CASE: Variant = { before: '', after: '', join: 'CASE' };

const LABELS = {
  base: 'unchanged value',
  true1: 'true condition',
  true2: 'another true condition',
  computed: 'true condition that only a database can compute',
  false1: 'false condition',
  false2: 'another false condition',
  wrong: 'false condition that only a database can compute',
  broken: 'invalid SQL',
} as const;

function writer({ parameter }: Pick<Point, 'parameter'>, variant: Variant, nonce: Nonce) {
  if (variant.join === 'CASE')
    return (condition: string) => `(CASE WHEN ${condition} THEN ${parameter.value} ELSE NULL END)`;
  const start = variant.join === 'AND' ? parameter.value : nowhere(variant, nonce);
  return (condition: string) => `${start}${variant.before} ${variant.join} ${condition}${variant.after}`;
}

export default definePointCheck<Variant>({
  id: 'sql-injection-boolean',
  flaw: { name: 'sql-injection', rank: 3 },
  provesInterpreter: true,
  title: 'SQL injection (boolean-based blind)',
  cwe: 89,
  cvss: SQL_CVSS,
  why: `${SQL_WHY} True and false conditions in the value changed the response consistently; invalid SQL did not return the same result.`,
  fix: SQL_FIX,
  references: SQL_REFERENCES,
  risk: 'harmless',
  locations: SQL_LOCATIONS,
  appliesTo: () => true,
  isWorthTrying: (triage) => triage.isStable && mayMean(triage, ...SQL_MEANINGS),
  variants: [
    ...BOUNDARIES.map((boundary) => ({ ...boundary, join: 'AND' as const })),
    CASE,
    ...BOUNDARIES.map((boundary) => ({ ...boundary, join: 'OR' as const })),
  ],
  maxRequests: 70,
  async probe(point, nonce, { ask }) {
    const [a, , c] = nonce.numbers;
    const base = await ask(requestWith(point, point.parameter.value));
    const unknown = await ask(requestWith(point, unknownLike(point, nonce)));
    const mayUseOr = isReading(point) && areAlike(base, unknown);
    for (const variant of this.variants) {
      if (variant.join === 'OR' && !mayUseOr) continue;
      const when = writer(point, variant, nonce);
      const isTrue = await ask(requestWith(point, when(`${a}=${a}`)));
      // Tests the true condition first, since a wrong boundary then costs only one request.
      if (areAlike(base, isTrue) !== (variant.join !== 'OR')) continue;
      const isFalse = await ask(requestWith(point, when(`${a}=${c}`)));
      if (!areAlike(isTrue, isFalse)) return [variant];
    }
    return [];
  },
  proof: {
    plan(point, variant, nonce) {
      const [a, b, c] = nonce.numbers;
      const when = writer(point, variant, nonce);
      return [
        at(point, LABELS.base, point.parameter.value),
        at(point, LABELS.true1, when(`${a}=${a}`)),
        at(point, LABELS.false1, when(`${a}=${c}`)),
        at(point, LABELS.computed, when(`(SELECT ${a}*${b})=${a * b}`)),
        at(point, LABELS.wrong, when(`(SELECT ${a}*${b})=${a * b + 1}`)),
        at(point, LABELS.true2, when(`${b}=${b}`)),
        at(point, LABELS.false2, when(`${c}=${b}`)),
        at(point, LABELS.broken, when(`${c} ${b}`)),
      ];
    },
    judge(answers, { join }) {
      const { base, true1, true2, computed, false1, false2, wrong, broken } = LABELS;
      return judgeTwoSided(answers, {
        trues: [...(join === 'OR' ? [] : [base]), true1, true2, computed],
        falses: [false1, false2, wrong],
        broken: [broken],
        harmless: [base],
      });
    },
  },
  lab() {
    const ask = openTeaShop(asPage);
    return {
      parameter: 'kind',
      value: 'green',
      vulnerable: (value) => ask(`select name from tea where kind = '${value}'`),
      safe: (value) => ask('select name from tea where kind = ?', value),
    };
  },
});
