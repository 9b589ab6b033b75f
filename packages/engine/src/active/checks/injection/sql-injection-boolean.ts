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

/** OR is for values that find nothing; CASE replaces a number or a column name. */
interface Variant extends Boundary {
  join: 'AND' | 'OR' | 'CASE';
}

const CASE: Variant = { before: '', after: '', join: 'CASE' };

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
    ...BOUNDARIES.map((boundary) => ({ ...boundary, join: 'OR' as const })),
  ],
  maxRequests: 70,
  invalidLabel: 'invalid SQL',
  trueMayDifferFromOriginal: true,
  isOr: ({ join }) => join === 'OR',
  maySend: (point, { after }) => maySendSql(point, after),
  conditions: ({ numbers: [a, b, c] }) => ({
    pairs: [
      { label: (truth) => `${truth} condition`, true: `${a}=${a}`, false: `${a}=${c}` },
      {
        label: (truth) => `${truth} condition that only a database can compute`,
        true: `(SELECT ${a}*${b})=${a * b}`,
        false: `(SELECT ${a}*${b})=${a * b + 1}`,
      },
      { label: (truth) => `another ${truth} condition`, true: `${b}=${b}`, false: `${c}=${b}` },
    ],
    invalid: `${c} ${b}`,
  }),
  write({ parameter }, variant, nonce, condition) {
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
