import type { Point } from '../../define-active-check.ts';
import { asPage, openTeaShop } from '../../labs/sql.ts';
import { defineBooleanCheck } from '../../shared/boolean-check.ts';
import {
  BOUNDARIES,
  type Boundary,
  maySendSql,
  nowhere,
  SQL_CVSS,
  SQL_CVSS4,
  SQL_FAMILY,
  SQL_FIX,
  SQL_IMPACT,
  SQL_LOCATIONS,
  SQL_MEANINGS,
  SQL_REFERENCES,
  SQL_WHY,
} from '../../shared/sql.ts';
import { mayMean } from '../../triage.ts';

/**
 * OR is for values that find nothing; CASE replaces a number or a column name; LITERAL a text in quotes within a value
 * that is an expression itself; FAIL makes the statement fail if the condition is false, where nothing else is shown.
 */
interface Variant extends Boundary {
  join: 'AND' | 'OR' | 'CASE' | 'LITERAL' | 'FAIL';
  failure?: keyof typeof FAILURES;
}

const CASE: Variant = { before: '', after: '', join: 'CASE' };
const TEXT_IN_VALUE = /'[^']+'/;
const LITERAL: Variant = { before: '', after: '', join: 'LITERAL' };

/** Expressions that cannot be computed if the condition is false. */
const FAILURES = {
  division: (condition) => `1/(CASE WHEN ${condition} THEN 1 ELSE 0 END)`,
  // SQLite divides by zero.
  overflow: (condition) => `ABS(CASE WHEN ${condition} THEN 1 ELSE -9223372036854775807-1 END)`,
} satisfies Record<string, (condition: string) => string>;
const fail = (failure: keyof typeof FAILURES, before: string, after: string): Variant => ({
  before,
  after,
  failure,
  join: 'FAIL',
});
const FAILING = [
  fail('division', "'||(", ")||'"),
  fail('overflow', "'||", "||'"),
  // SQL Server does not join texts and numbers.
  fail('division', "'+CAST(", " AS CHAR(1))+'"),
  fail('division', '*(', ')'),
];

/** Returns whether the value can be written this way. */
function fits({ parameter: { value } }: Point, { join, before }: Variant): boolean {
  if (join === 'LITERAL') return TEXT_IN_VALUE.test(value);
  return join !== 'FAIL' || before !== '*(' || /^\d+$/.test(value);
}

export default defineBooleanCheck<Variant>({
  id: 'sql-injection-boolean',
  family: SQL_FAMILY,
  flaw: { name: 'sql-injection', rank: 3 },
  provesInterpreter: true,
  title: 'SQL injection (boolean-based blind)',
  cwe: 89,
  cvss: SQL_CVSS,
  cvss4: SQL_CVSS4,
  impact: SQL_IMPACT,
  why: `${SQL_WHY} True and false conditions in the value changed the response consistently; invalid SQL did not return the same result.`,
  fix: SQL_FIX,
  references: SQL_REFERENCES,
  locations: SQL_LOCATIONS,
  appliesTo: () => true,
  isWorthTrying: (triage) => triage.isStable && mayMean(triage, ...SQL_MEANINGS),
  variants: [
    ...BOUNDARIES.map((boundary) => ({ ...boundary, join: 'AND' as const })),
    CASE,
    LITERAL,
    ...BOUNDARIES.map((boundary) => ({ ...boundary, join: 'OR' as const })),
    ...FAILING,
  ],
  maxRequests: 80,
  invalidLabel: 'invalid SQL',
  trueMayDifferFromOriginal: true,
  isOr: ({ join }) => join === 'OR',
  isFailing: ({ join }) => join === 'FAIL',
  maySend: (point, variant) => maySendSql(point, variant.after) && fits(point, variant),
  conditions: ({ numbers: [a, b, c] }) => ({
    pairs: [
      { label: (truth) => `${truth} condition`, true: `${a}=${a}`, false: `${a}=${c}` },
      {
        label: (truth) => `${truth} condition that only a database can compute`,
        // Oracle, DB2, Derby, Firebird and HSQLDB have no SELECT without FROM.
        true: `(CASE WHEN ${a}*${b}=${a * b} THEN ${a} ELSE ${c} END)=${a}`,
        false: `(CASE WHEN ${a}*${b}=${a * b + 1} THEN ${a} ELSE ${c} END)=${a}`,
      },
      { label: (truth) => `another ${truth} condition`, true: `${b}=${b}`, false: `${c}=${b}` },
    ],
    invalid: `${c} ${b}`,
  }),
  write({ parameter }, variant, nonce, condition) {
    if (variant.failure)
      return `${parameter.value}${variant.before}${FAILURES[variant.failure](condition)}${variant.after}`;
    if (variant.join === 'LITERAL') {
      return parameter.value.replace(
        TEXT_IN_VALUE,
        (text) => `(CASE WHEN ${condition} THEN ${text} ELSE '${nonce.word}' END)`,
      );
    }
    if (variant.join === 'CASE') return `(CASE WHEN ${condition} THEN ${parameter.value} ELSE NULL END)`;
    const start = variant.join === 'AND' ? parameter.value : nowhere(variant, nonce);
    return `${start}${variant.before} ${variant.join} ${condition}${variant.after}`;
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
