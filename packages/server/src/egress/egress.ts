import type { EgressEntry } from '@sortie/engine';
import { sql } from 'kysely';
import type { Queries, Transaction } from '../db/database.ts';

/** A hostile page can name any number of hosts; entries beyond this limit are counted together. */
const MOST_PLACES = 2_000;
const ELSEWHERE = '…';

/**
 * Adds entries to the egress record of a run. Must run in the transaction that saves the results of the same requests.
 */
export async function recordEgress(tx: Transaction, runId: string, entries: readonly EgressEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const { places } = await tx
    .selectFrom('egress')
    .select(({ fn }) => fn.countAll<number>().as('places'))
    .where('run_id', '=', runId)
    .executeTakeFirstOrThrow();
  const isFull = places + entries.length > MOST_PLACES;
  const merged = new Map<string, ReturnType<typeof toRow>>();
  for (const entry of entries) {
    const row = toRow(runId, isFull ? { ...entry, host: ELSEWHERE, port: 0, address: null } : entry);
    const key = JSON.stringify([row.host, row.port, row.address, row.outcome, row.reason]);
    const before = merged.get(key);
    if (before)
      Object.assign(row, {
        connections: row.connections + before.connections,
        requests: row.requests + before.requests,
      });
    merged.set(key, row);
  }
  await tx
    .insertInto('egress')
    .values([...merged.values()])
    .onConflict((conflict) =>
      conflict.columns(['run_id', 'host', 'port', 'address', 'outcome', 'reason']).doUpdateSet({
        connections: sql<number>`egress.connections + excluded.connections`,
        requests: sql<number>`egress.requests + excluded.requests`,
        last_at: sql<Date>`service_now()`,
      }),
    )
    .execute();
}

function toRow(run_id: string, { host, port, address, outcome, reason, connections, requests }: EgressEntry) {
  return { run_id, host, port, address: address ?? '', outcome, reason: reason ?? '', connections, requests };
}

/** Resolves to the addresses that a pentest or scan contacted or was refused, busiest first. */
export function listEgress(queries: Queries, runId: string) {
  return queries
    .selectFrom('egress')
    .select(['host', 'port', sql<string | null>`nullif(address, '')`.as('address'), 'outcome'])
    .select([sql<string | null>`nullif(reason, '')`.as('reason'), 'connections', 'requests'])
    .select(['first_at as firstAt', 'last_at as lastAt'])
    .where('run_id', '=', runId)
    .orderBy('requests', 'desc')
    .orderBy('host')
    .orderBy('port')
    .execute();
}
