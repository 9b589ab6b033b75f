import { confidences, type Severity, severities } from '@sortie/contract';
import { sql } from 'kysely';

export interface FindingsPage {
  severity: readonly Severity[] | undefined;
  limit: number;
  offset: number;
}

/** Worst first, for tables of findings; each table adds what decides between equals. */
export const worstFirst = sql`
  array_position(${[...severities]}::text[], severity), array_position(${[...confidences]}::text[], confidence)`;

export const totalColumn = sql<number>`count(*) over ()`.as('total');

/** Takes the total off the rows that carry it. A separate count is needed only for a page beyond the last one. */
export async function withTotal<Row extends { total: number }>(
  rows: readonly Row[],
  count: () => Promise<{ total: number }>,
): Promise<{ rows: Omit<Row, 'total'>[]; total: number }> {
  const total = rows[0]?.total ?? (await count()).total;
  return { rows: rows.map(({ total: _total, ...row }) => row), total };
}
