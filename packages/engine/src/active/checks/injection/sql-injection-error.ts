import { judgeComputed, shows } from '../../../oracle/computed.ts';
import { at, definePointCheck, type Nonce, type Point } from '../../define-active-check.ts';
import { requestWith } from '../../insertion-point.ts';
import { asPage, openTeaShop } from '../../labs/sql.ts';
import {
  BOUNDARIES,
  type Boundary,
  isReading,
  maySendSql,
  nowhere,
  SQL_CVSS,
  SQL_FIX,
  SQL_LOCATIONS,
  SQL_REFERENCES,
  SQL_WHY,
} from '../../shared/sql.ts';

/** Error messages of a database, and a condition that makes it include a product in one. */
interface Database {
  says: RegExp;
  echo(a: number, b: number): string;
}

interface Variant extends Boundary {
  database: Database;
  quote: string;
  join: 'AND' | 'OR';
}

const DATABASES: readonly Database[] = [
  {
    says: /error in your SQL syntax|XPATH syntax error|mysqli?_|SQLSTATE\[42000\]/i,
    echo: (a, b) => `extractvalue(1,concat(0x7e,(SELECT ${a}*${b})))`,
  },
  {
    says: /syntax error at or near|unterminated quoted string at or near|invalid input syntax for|PG::\w+Error|pg_query\(/i,
    echo: (a, b) => `CAST('~'||CAST(${a}*${b} AS text) AS int)=1`,
  },
  {
    says: /unclosed quotation mark|incorrect syntax near|conversion failed when converting/i,
    echo: (a, b) => `1=CONVERT(int,'~'+CAST(${a}*${b} AS varchar(20)))`,
  },
  { says: /\bORA-\d{5}/, echo: (a, b) => `1=CTXSYS.DRITHSX.SN(1,'~'||(${a}*${b}))` },
  {
    says: /SQLITE_ERROR|unrecognized token: |near "[^"\n]{0,200}": syntax error|bad JSON path/i,
    echo: (a, b) => `json_extract('{}','~'||(${a}*${b}))`,
  },
  // H2 shows the value that it cannot convert; HSQLDB only says that there is one.
  {
    says: /\borg\.(?:h2|hsqldb)\.|Syntax error in SQL statement|java\.sql\.\w*Exception: (?:malformed string|unexpected (?:token|end of statement))/,
    echo: (a, b) => `CAST('~'||(${a}*${b}) AS INT)=1`,
  },
];
const QUOTES = ["'", '"'];
const LABELS = {
  base: 'unchanged value',
  broken: 'value with a quote',
  repaired: 'value with two quotes',
  attack: 'condition whose error message contains a product',
} as const;

function write({ parameter }: Pick<Point, 'parameter'>, variant: Variant, nonce: Nonce): string {
  const { database, before, after, join } = variant;
  const start = join === 'AND' ? parameter.value : nowhere(variant, nonce);
  return `${start}${before} ${join} ${database.echo(nonce.numbers[0], nonce.numbers[1])}${after}`;
}

const expected = ({ numbers: [a, b] }: Nonce) => `~${a * b}`;
const fits = ({ before }: Boundary, quote: string) => before.includes(quote) || !/['"]/.test(before);

export default definePointCheck<Variant>({
  id: 'sql-injection-error',
  flaw: { name: 'sql-injection', rank: 1 },
  provesInterpreter: true,
  title: 'SQL injection (error-based)',
  cwe: 89,
  cvss: SQL_CVSS,
  why: `${SQL_WHY} A quote in the value produced a database error message in the response.`,
  fix: `${SQL_FIX} Do not send database errors to clients.`,
  references: SQL_REFERENCES,
  risk: 'harmless',
  locations: SQL_LOCATIONS,
  appliesTo: () => true,
  isWorthTrying: ({ isReactive }) => isReactive,
  variants: DATABASES.flatMap((database) =>
    (['AND', 'OR'] as const).flatMap((join) =>
      QUOTES.flatMap((quote) =>
        BOUNDARIES.filter((boundary) => fits(boundary, quote)).map((each) => ({ ...each, database, quote, join })),
      ),
    ),
  ),
  maxRequests: 30,
  async probe(point, nonce, { ask }) {
    for (const quote of QUOTES) {
      const broken = await ask(requestWith(point, `${point.parameter.value}${quote}`));
      const database = DATABASES.find(({ says }) => shows(broken, says));
      if (!database) continue;
      const fitting = this.variants.filter(
        (each) => each.database === database && each.quote === quote && maySendSql(point, each.after),
      );
      for (const variant of fitting.filter(({ join }) => join === 'AND' || isReading(point))) {
        const answer = await ask(requestWith(point, write(point, variant, nonce)));
        if (shows(answer, expected(nonce))) return [variant];
      }
      return fitting.slice(0, 1);
    }
    return [];
  },
  proof: {
    plan: (point, variant, nonce) => [
      at(point, LABELS.base, point.parameter.value),
      at(point, LABELS.broken, `${point.parameter.value}${variant.quote}`),
      at(point, LABELS.repaired, `${point.parameter.value}${variant.quote.repeat(2)}`),
      at(point, LABELS.attack, write(point, variant, nonce)),
    ],
    judge(answers, { database }, nonce) {
      const verdict = judgeComputed(answers, { [LABELS.attack]: expected(nonce) }, [
        LABELS.base,
        LABELS.broken,
        LABELS.repaired,
      ]);
      const complains = (label: string) => {
        const exchange = answers.get(label);
        return exchange !== undefined && shows(exchange, database.says);
      };
      const isPair = complains(LABELS.broken) && !complains(LABELS.repaired) && !complains(LABELS.base);
      return verdict === 'REFUTED' && isPair ? 'LIKELY' : verdict;
    },
  },
  lab() {
    const ask = openTeaShop(asPage, true);
    return {
      parameter: 'kind',
      value: 'green',
      vulnerable: (value) => ask(`select name from tea where kind = '${value}'`),
      safe: (value) => ask('select name from tea where kind = ?', value),
    };
  },
});
