import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openLabs } from '@sortie/testing/engine/labs.ts';
import type { PointCheck } from '../../define-active-check.ts';
import type { PointLab } from '../../lab.ts';
import { asJson, asPage, openTeaShop } from '../../labs/sql.ts';
import byCondition from './sql-injection-boolean.ts';
import byError from './sql-injection-error.ts';
import byTime from './sql-injection-time.ts';
import byUnion from './sql-injection-union.ts';

interface Context {
  check: { id: string };
  /** The statement; $ marks where the value is inserted. */
  sql: string;
  value: string;
  location?: PointLab['location'];
  parameter?: string;
  change?: (value: string) => string;
  /** Returns the page that is shown instead of the body; `read` is the value. */
  hide?: (body: string, read: string) => string;
}

/** As in Oracle, DB2, Derby and HSQLDB. */
function withoutBareSelect(value: string): string {
  return value.replace(/\bselect\b(?![^()]*\bfrom\b)/gi, 'no statement');
}

const ERROR = 'Something went wrong. ';
/** Shows neither the rows nor the message. */
const onlyOutcome = (body: string) => (body.startsWith(ERROR) ? ERROR : 'Thank you.');

/** Fails at a division by zero, as HSQLDB, H2, Derby, DB2, Oracle, PostgreSQL and SQL Server do. */
function dividing(value: string): string {
  // Its value is computed when it is needed only because it is random.
  const failing = 'abs(-9223372036854775807-1-(random() is null))';
  return value
    .replace(/\bABS\(/, 'unknown(')
    .replace(/\b1\/\((CASE WHEN .* THEN 1 ELSE 0 END)\)/, `coalesce(1/($1), ${failing})`);
}

const isFound: Record<string, Context> = {
  'a number': { check: byCondition, sql: 'select name from tea where id = $', value: '7' },
  brackets: { check: byCondition, sql: "select name from tea where (id = 7 and (kind = '$'))", value: 'green' },
  'double quotes': { check: byCondition, sql: 'select name from tea where kind = "$"', value: 'green' },
  'a pattern': { check: byCondition, sql: "select name from tea where name like '%$%' and id > 0", value: 'Sen' },
  'two patterns in brackets': {
    check: byCondition,
    sql: "select name from tea where ((name like '%$%' or kind like '%$%') and id > 0) order by name",
    value: '',
  },
  'several lines': { check: byCondition, sql: "select name from tea where (kind = '$'\n)", value: 'green' },
  'a value that finds nothing': { check: byCondition, sql: "select name from tea where kind = '$'", value: 'white' },
  'a number that finds nothing': { check: byCondition, sql: 'select name from tea where id = $', value: '1' },
  'a number in JSON': {
    check: byCondition,
    sql: 'select name from tea where id = $',
    value: '7',
    location: 'json',
    parameter: '/id',
  },
  'a cookie': { check: byCondition, sql: "select name from tea where kind = '$'", value: 'green', location: 'cookie' },
  'a page that compares the value as text as well': {
    check: byCondition,
    sql: 'select name from tea where id = $',
    value: '7',
    hide: (body, read) => (read === '7' ? '<h1>Welcome</h1>' : /<li>/.test(body) ? '<h1>Tea</h1>' : 'not found'),
  },
  'a database that has no SELECT without FROM': {
    check: byCondition,
    sql: "select name from tea where kind = '$'",
    value: 'green',
    change: withoutBareSelect,
  },
  'a number in a database that has no SELECT without FROM': {
    check: byCondition,
    sql: 'select name from tea where id = $',
    value: '7',
    change: withoutBareSelect,
  },
  'a record that is made, where only an error is shown': {
    check: byCondition,
    sql: "insert into tea (name) values ('$')",
    value: 'Mate',
    hide: onlyOutcome,
  },
  'a number that is stored, where only an error is shown': {
    check: byCondition,
    sql: 'insert into tea (id) values ($)',
    value: '12',
    change: dividing,
    hide: onlyOutcome,
  },
  'a record that is made in a database that fails to divide by zero': {
    check: byCondition,
    sql: "insert into tea (name) values ('$')",
    value: 'Mate',
    change: dividing,
    hide: onlyOutcome,
  },
  'a query whose result is not shown': {
    check: byCondition,
    sql: "select name from tea where kind = '$'",
    value: 'green',
    hide: onlyOutcome,
  },
  'a text within a value that is a condition itself': {
    check: byCondition,
    sql: 'select name from tea where $',
    value: "lower('GREEN') = kind",
  },
  'a number, told in errors': { check: byError, sql: 'select name from tea where id = $', value: '7' },
  'no row, told in errors': { check: byError, sql: "select name from tea where kind = '$'", value: 'white' },
  'one column': { check: byUnion, sql: 'select name from tea where id = $', value: '7' },
  'many columns': { check: byUnion, sql: "select *, 1, 2, 3, * from tea where kind = '$'", value: 'green' },
  silence: { check: byTime, sql: "insert into tea (name) values ('$')", value: 'Mate' },
};

const isNotFound: Record<string, Context> = {
  'numbers are read as such': {
    check: byCondition,
    sql: 'select name from tea where id = $',
    value: '7',
    change: (value) => String(Number.parseInt(value, 10) || 0),
  },
  'a record that is made of certain characters only': {
    check: byCondition,
    sql: "insert into tea (name) values ('Mate')",
    value: 'Mate',
    hide: (body, read) => onlyOutcome(/^[\w '|()*=/]+$/.test(read) ? body : ERROR),
  },
  'a record that is made of a value of certain length': {
    check: byCondition,
    sql: "insert into tea (name) values ('Mate')",
    value: 'Mate',
    hide: (body, read) => onlyOutcome(read.length < 60 ? body : ERROR),
  },
  'the page depends on the text of the value': {
    check: byCondition,
    sql: 'select name from tea',
    value: '7',
    hide: (_body, read) =>
      /^\d+$/.test(read) ? '<h1>Welcome</h1>' : / AND /.test(read) ? 'no such page' : 'not found',
  },
  'quotes are doubled': {
    check: byError,
    sql: "select name from tea where kind = '$'",
    value: 'green',
    change: (value) => value.replaceAll("'", "''"),
  },
};

const same = (text: string) => text;

function labOf({
  sql,
  value,
  location = 'query',
  parameter = 'q',
  change = same,
  hide = same,
  check,
}: Context): PointLab {
  const ask = openTeaShop(check === byUnion ? asJson : asPage, check === byError);
  const handler = (read: string) => {
    const answer = ask(sql.replaceAll('$', () => change(read)));
    return { ...answer, body: hide(answer.body ?? '', read) };
  };
  return { location, parameter, value, vulnerable: handler, safe: handler };
}

/** The message reveals that there is an error, but not its content. */
const isLikely: Record<string, Context> = {
  'a message without numbers': {
    check: byError,
    sql: "select name from tea where kind = '$'",
    value: 'green',
    hide: (body) => body.replace(/\d+/g, '?'),
  },
  'a message of an embedded Java database': {
    check: byError,
    sql: "select name from tea where kind = '$'",
    value: 'green',
    hide: (body) => body.replace(/unrecognized token.*/s, 'java.sql.BatchUpdateException: malformed string: x'),
  },
};

const cases = Object.entries({ ...isFound, ...isLikely, ...isNotFound }).map(([name, context], index) => ({
  name,
  expected: name in isFound ? 'CONFIRMED' : name in isLikely ? 'FIRM' : undefined,
  check: { ...(context.check as PointCheck), id: `case-${index}`, lab: () => labOf(context) },
}));

let labs: Awaited<ReturnType<typeof openLabs>>;
before(async () => {
  labs = await openLabs(cases.map(({ check }) => check));
});
after(() => labs.close());

describe('SQL injection', () => {
  for (const { name, check, expected } of cases) {
    it(`is ${{ CONFIRMED: 'found', FIRM: 'likely' }[String(expected)] ?? 'not found'} where there is: ${name}`, async () => {
      const { verified, requests } = await labs.test(check, 'vulnerable');
      assert.equal(verified?.confidence, expected);
      assert.ok(requests <= check.maxRequests);
    });
  }
});
