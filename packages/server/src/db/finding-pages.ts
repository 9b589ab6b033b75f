import { confidences, type Severity, severities } from '@sortie/contract';
import { sql } from 'kysely';

export interface FindingsPage {
  severity: readonly Severity[] | undefined;
  limit: number;
  offset: number;
}

/** Orders findings worst first; every table appends columns that make the order unambiguous. */
export const worstFirst = sql`
  array_position(${[...severities]}::text[], severity), array_position(${[...confidences]}::text[], confidence)`;

export const totalColumn = sql<number>`count(*) over ()`.as('total');

/** Separates the total from the rows that carry it. Only a page beyond the last one needs a separate count. */
export async function withTotal<Row extends { total: number }>(
  rows: readonly Row[],
  count: () => Promise<{ total: number }>,
): Promise<{ rows: Omit<Row, 'total'>[]; total: number }> {
  const total = rows[0]?.total ?? (await count()).total;
  return { rows: rows.map(({ total: _total, ...row }) => row), total };
}
