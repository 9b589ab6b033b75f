import { asPage, openTeaShop } from '../../labs/sql.ts';
import { defineBooleanCheck } from '../../shared/boolean-check.ts';
import { inMixedCase, withNestedWords, withSpaces } from '../../shared/rewritings.ts';
import {
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

/** What ends the value and opens it again, so that no comment has to neutralise the rest. */
interface Frame {
  before: string;
  after: string;
}

const REWRITINGS = {
  'comments for spaces, mixed case': (text: string) => withSpaces(inMixedCase(text), 'comment'),
  'tabs for spaces, mixed case': (text: string) => withSpaces(inMixedCase(text), 'tab'),
  'nested words': (text: string) => withSpaces(withNestedWords(text), 'comment'),
  'signs for words': (text: string) => text.replaceAll(' AND ', '&&').replaceAll(' ', '/**/'),
  'encoded twice': (text: string) => encodeURIComponent(text).replaceAll("'", '%27'),
} as const;

interface Variant extends Frame {
  rewriting: keyof typeof REWRITINGS;
}

const FRAMES: readonly Frame[] = [
  { before: "'", after: " AND '7'='7" },
  { before: '', after: '' },
  { before: '"', after: ' AND "7"="7' },
];

/** Words of letters in the frame and the condition would be rewritten as well; there are none but the joining word. */
export default defineBooleanCheck<Variant>({
  id: 'sql-injection-filtered',
  family: SQL_FAMILY,
  flaw: { name: 'sql-injection', rank: 5 },
  provesInterpreter: true,
  title: 'SQL injection behind a filter (boolean-based blind)',
  cwe: 89,
  cvss: SQL_CVSS,
  cvss4: SQL_CVSS4,
  impact: SQL_IMPACT,
  why: `${SQL_WHY} The usual conditions did not get through, but others that a filter overlooks did: with comments or tabs instead of spaces, in mixed case, with nested words, or encoded twice. True and false conditions written that way changed the response consistently; invalid SQL did not return the same result.`,
  fix: SQL_FIX,
  references: SQL_REFERENCES,
  depth: 'STANDARD',
  locations: SQL_LOCATIONS,
  appliesTo: () => true,
  isWorthTrying: (triage) => triage.isStable && mayMean(triage, ...SQL_MEANINGS),
  variants: FRAMES.flatMap((frame) =>
    (Object.keys(REWRITINGS) as (keyof typeof REWRITINGS)[]).map((rewriting) => ({ ...frame, rewriting })),
  ),
  maxRequests: 50,
  invalidLabel: 'invalid SQL',
  conditions: ({ numbers: [a, b, c] }) => ({
    pairs: [
      { label: (truth) => `${truth} condition past a filter`, true: `${a}=${a}`, false: `${a}=${c}` },
      {
        label: (truth) => `${truth} condition with a product`,
        true: `${a}*${b}=${a * b}`,
        false: `${a}*${b}=${a * b + 1}`,
      },
      { label: (truth) => `another ${truth} condition`, true: `${b}=${b}`, false: `${c}=${b}` },
    ],
    invalid: `${c} ${b}`,
  }),
  write: ({ parameter }, { before, after, rewriting }, _nonce, condition) =>
    `${parameter.value}${REWRITINGS[rewriting](`${before} AND ${condition}${after}`)}`,
  lab() {
    const ask = openTeaShop(asPage);
    const blocked = { status: 403, body: 'That looks odd' };
    const isOdd = (value: string) => /\s|--|#|\b(?:and|or|AND|OR|union|UNION|select|SELECT|case|CASE)\b/.test(value);
    return {
      parameter: 'kind',
      value: 'green',
      vulnerable: (value) => (isOdd(value) ? blocked : ask(`select name from tea where kind = '${value}'`)),
      safe: (value) => (isOdd(value) ? blocked : ask('select name from tea where kind = ?', value)),
    };
  },
});
