import { effectOf } from '../../crawl/effect/judge.ts';
import type { PointLocation } from '../../crawl/inventory/inventory.ts';
import type { Point } from '../define-active-check.ts';
import type { Nonce } from '../experiment.ts';
import type { Meaning } from '../triage-result.ts';

/** How a condition fits into a statement: what ends the value before it, and what neutralises the rest. */
export interface Boundary {
  before: string;
  after: string;
}

/** Comments out the rest of the statement. */
const COMMENT = '-- -';

export const BOUNDARIES: readonly Boundary[] = [
  { before: "'", after: COMMENT },
  { before: '', after: '' },
  { before: "')", after: COMMENT },
  { before: '"', after: COMMENT },
  { before: "%'", after: COMMENT },
  { before: "'", after: " AND 'a'='a" },
  // For LIKE patterns, which often use the value more than once.
  { before: "%'", after: " AND '%'='" },
  { before: ')', after: COMMENT },
  { before: "'))", after: COMMENT },
  { before: '")', after: COMMENT },
];

/** Includes cookies and headers, which are often logged or looked up. */
export const SQL_LOCATIONS: readonly PointLocation[] = [
  'query',
  'path',
  'form',
  'json',
  'xml',
  'multipart',
  'fileName',
  'graphql',
  'cookie',
  'header',
];

export const SQL_MEANINGS: readonly Meaning[] = ['sqlText', 'addedText', 'condition', 'sqlExpression'];

export const SQL_FIX =
  'Use prepared statements and bind the value as a parameter. Names of columns and sort orders cannot be bound: choose them from an allowlist. Manual escaping and denylists of words do not protect reliably.';
export const SQL_WHY =
  'The value becomes part of an SQL statement. An attacker reads, and often changes, all data of the database.';
export const SQL_REFERENCES = [
  'https://cheatsheetseries.owasp.org/cheatsheets/SQL_Injection_Prevention_Cheat_Sheet.html',
  'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/05-Testing_for_SQL_Injection',
  'https://cwe.mitre.org/data/definitions/89.html',
];
export const SQL_CVSS = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
export const SQL_CVSS4 = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N';
/** The login check proves the same flaw as the others, in the user name. */
export const SQL_FAMILY = { name: 'sql-injection', by: 'place' } as const;
export const SQL_IMPACT =
  'An attacker reads and changes everything in the database that the application can, such as accounts and password hashes.';

/** A condition that is true for every row must not reach a statement that writes. */
export function isReading({ item }: Pick<Point, 'item'>): boolean {
  return (item.effect ?? effectOf({ method: item.method, url: item.url })) === 'reads';
}

/**
 * Returns whether the value may be sent with this request: without the rest of its statement, an UPDATE has no WHERE and
 * changes every row.
 */
export const maySendSql = (point: Pick<Point, 'item'>, value: string) => isReading(point) || !value.endsWith(COMMENT);

/** Returns a value that no row has. */
export function nowhere({ before }: Boundary, { word, numbers }: Nonce): string {
  return /['"]/.test(before) ? word : `-${numbers[2]}`;
}

/** Returns a value of the same type that finds nothing, to detect whether the original value finds nothing either. */
export function unknownLike({ parameter: { value } }: Point, { word, numbers }: Nonce): string {
  return /^-?\d+$/.test(value) ? `-${numbers[2]}` : word;
}
