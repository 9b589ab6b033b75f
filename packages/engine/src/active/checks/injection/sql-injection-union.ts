import type { Exchange } from '../../../http/exchange/exchange.ts';
import { judgeComputed, shows } from '../../../oracle/computed.ts';
import { areAlike } from '../../../oracle/two-sided.ts';
import { type Asking, definePointCheck, type Point } from '../../define-active-check.ts';
import { at, type Nonce } from '../../experiment.ts';
import { requestWith } from '../../insertion-point.ts';
import { asJson, openTeaShop } from '../../labs/sql.ts';
import {
  BOUNDARIES,
  type Boundary,
  isReading,
  nowhere,
  SQL_CVSS,
  SQL_CVSS4,
  SQL_FAMILY,
  SQL_FIX,
  SQL_IMPACT,
  SQL_MEANINGS,
  SQL_REFERENCES,
  SQL_WHY,
} from '../../shared/sql.ts';
import { mayMean } from '../../triage.ts';
import { usualAnswer } from '../../usual-answer.ts';

/** How a row is added to the result of the query. */
interface Variant extends Boundary {
  columns: number;
  /** Index of the column with the product; undefined for all columns. */
  column?: number;
  /** How text and product are joined. */
  join: keyof typeof JOINS;
  from: string;
}

const MOST_COLUMNS = 32;
const MOST_TRIED_ALONE = 8;

const JOINS = {
  pipes: (start: string, product: string, end: string) => `'${start}'||(${product})||'${end}'`,
  concat: (start: string, product: string, end: string) => `CONCAT('${start}',${product},'${end}')`,
};

/** Tables with one row of databases that have no SELECT without FROM: Oracle; DB2 and Derby; HSQLDB; Firebird. */
const ORACLE = ' FROM dual';
const ONE_ROW = [' FROM SYSIBM.SYSDUMMY1', ' FROM (VALUES(0)) AS one', ' FROM RDB$DATABASE'];

const marksOf = ({ word }: Nonce) => [word.slice(0, 7), word.slice(7)] as const;

function write(variant: Variant, nonce: Nonce, columns = variant.columns): string {
  const [a, b] = nonce.numbers;
  const [start, end] = marksOf(nonce);
  const product = JOINS[variant.join](start, `${a}*${b}`, end);
  const row = Array.from({ length: columns }, (_, index) => (index === (variant.column ?? index) ? product : 'NULL'));
  return `${nowhere(variant, nonce)}${variant.before} UNION SELECT ${row.join(',')}${variant.from}${variant.after}`;
}

function expected(nonce: Nonce): string {
  const [a, b] = nonce.numbers;
  return marksOf(nonce).join(String(a * b));
}

/**
 * Counts columns with ORDER BY, which fails for a column that does not exist. Resolves to undefined if the value is not
 * part of a query.
 */
async function countColumns(
  point: Point,
  { before, after }: Boundary,
  { ask, base }: Pick<Asking, 'ask'> & { base: Exchange },
): Promise<number | undefined> {
  const sortedBy = (column: number) =>
    ask(requestWith(point, `${point.parameter.value}${before} ORDER BY ${column}${after}`));
  const first = await sortedBy(1);
  const works = async (column: number) => areAlike(first, await sortedBy(column));
  if (!areAlike(base, first) || (await works(MOST_COLUMNS + 1))) return undefined;
  let [most, least] = [MOST_COLUMNS, 1];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (await works(middle)) least = middle;
    else most = middle - 1;
  }
  return least;
}

/** Databases that convert between text and numbers come first, then strictly typed ones, then rare ones. */
function variantsOf(boundary: Boundary, columns: number, isThorough = false): Variant[] {
  const alone = Array.from({ length: Math.min(columns, MOST_TRIED_ALONE) }, (_, column) => column);
  const of = (join: Variant['join'], from: string, column?: number): Variant => ({
    ...boundary,
    columns,
    join,
    from,
    ...(column !== undefined && { column }),
  });
  return [
    of('concat', ''),
    of('pipes', ''),
    ...alone.flatMap((column) => [of('pipes', '', column), of('concat', '', column), of('pipes', ORACLE, column)]),
    ...(isThorough ? alone.flatMap((column) => ONE_ROW.map((from) => of('pipes', from, column))) : []),
  ];
}

export default definePointCheck({
  id: 'sql-injection-union',
  family: SQL_FAMILY,
  flaw: { name: 'sql-injection', rank: 2 },
  provesInterpreter: true,
  title: 'SQL injection (UNION-based)',
  cwe: 89,
  cvss: SQL_CVSS,
  cvss4: SQL_CVSS4,
  impact: SQL_IMPACT,
  why: `${SQL_WHY} A UNION SELECT in the value added a row to the response with a number that the database computed; the same statement with a wrong column count did not.`,
  fix: SQL_FIX,
  references: SQL_REFERENCES,
  risk: 'harmless',
  // A UNION only fits into a SELECT.
  appliesTo: (point) => isReading(point) || point.item.method === 'POST',
  isWorthTrying: (triage) => triage.isStable && mayMean(triage, ...SQL_MEANINGS),
  variants: BOUNDARIES.slice(0, 5).flatMap((boundary) => variantsOf(boundary, 1)),
  maxRequests: 90,
  async probe(point, nonce, { ask, known, memory }) {
    const isThorough = (known.depth ?? 'LEAD') !== 'LEAD';
    const base = await usualAnswer(point, { ask, memory });
    for (const boundary of BOUNDARIES.slice(0, 5)) {
      const columns = await countColumns(point, boundary, { ask, base });
      if (columns === undefined) continue;
      for (const variant of variantsOf(boundary, columns, isThorough)) {
        const answer = await ask(requestWith(point, write(variant, nonce)));
        if (shows(answer, expected(nonce))) return [variant];
      }
      return [];
    }
    return [];
  },
  proof: {
    plan(point, variant, nonce) {
      const tooMany = write(variant, nonce, variant.columns + 1);
      return {
        base: at(point, 'unchanged value', point.parameter.value, { isControl: true }),
        attack: at(point, 'UNION SELECT with a product', write(variant, nonce)),
        control: at(point, 'UNION SELECT with one column too many', tooMany, { isControl: true }),
      };
    },
    judge: ({ base, attack, control }, _variant, nonce) => judgeComputed([[attack, expected(nonce)]], [base, control]),
  },
  lab() {
    const ask = openTeaShop(asJson);
    return {
      location: 'json',
      parameter: '/filter/kind',
      value: 'green',
      vulnerable: (value) => ask(`select id, name, price from tea where kind = '${value}'`),
      safe: (value) => ask('select id, name, price from tea where kind = ?', value),
    };
  },
});
