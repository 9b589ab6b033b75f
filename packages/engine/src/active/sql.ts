import type { Meaning, Nonce, Point } from '../active-check.ts';
import { effectOf } from '../crawl/danger.ts';
import type { PointLocation } from '../crawl/inventory.ts';

/** How a condition is fitted into a statement: what ends the value before it, and what makes the rest harmless. */
export interface Boundary {
  before: string;
  after: string;
}

export const BOUNDARIES: readonly Boundary[] = [
  { before: "'", after: '-- -' },
  { before: '', after: '' },
  { before: "')", after: '-- -' },
  { before: '"', after: '-- -' },
  { before: "%'", after: '-- -' },
  { before: "'", after: " AND 'a'='a" },
  // Where it stands in a pattern, most often in more than one.
  { before: "%'", after: " AND '%'='" },
  { before: ')', after: '-- -' },
  { before: "'))", after: '-- -' },
  { before: '")', after: '-- -' },
];

/** Cookies and headers are logged and looked up as well. */
export const SQL_LOCATIONS: readonly PointLocation[] = [
  'query',
  'path',
  'form',
  'json',
  'multipart',
  'fileName',
  'graphql',
  'cookie',
  'header',
];

export const SQL_MEANINGS: readonly Meaning[] = ['sqlText', 'addedText', 'condition', 'sqlExpression'];

export const SQL_FIX =
  'Pass the value as a parameter of a prepared statement. Escaping by hand and lists of forbidden words do not help.';
export const SQL_WHY =
  'The value becomes part of an SQL statement. Whoever sends it can read, and often change, everything in the database.';
export const SQL_CVSS = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';

/** A condition that is true for every row must not reach a statement that writes. */
export function isReading({ item }: Pick<Point, 'item'>): boolean {
  return (item.effect ?? effectOf(item.method, item.url)) === 'reads';
}

/** A value that no row has, in the place of the one that was seen. */
export function nowhere({ before }: Boundary, { word, numbers }: Nonce): string {
  return /['"]/.test(before) ? word : `-${numbers[2]}`;
}

/** A value of the same kind that finds nothing: an answer like that of the one that was seen means that it does not either. */
export function unknownLike({ parameter: { value } }: Point, { word, numbers }: Nonce): string {
  return /^-?\d+$/.test(value) ? `-${numbers[2]}` : word;
}
