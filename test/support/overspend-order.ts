import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Database, Queries, Transaction } from '../../packages/server/src/db/database.ts';

/** Called at the end of a transaction, with what made it fail. */
type OnEnd = (order: number, error: unknown) => void;
type Builder = ReturnType<Queries['transaction']>;

/**
 * The same database, but every transaction draws a number before it lets go of its locks. Of two that wait for one
 * another the later one draws the higher number, so the numbers are an order in which everything may have happened.
 * Needs the sequence `lock_order`.
 */
export function withOrder({ pool, close, queries }: Database, onEnd: OnEnd): Database {
  const ordered: Queries = new Kysely({ dialect: new PostgresDialect({ pool }) });
  Object.assign(ordered, { transaction: () => numbered(queries.transaction(), onEnd) });
  return { pool, close, queries: ordered };
}

function numbered(builder: Builder, onEnd: OnEnd): Pick<Builder, 'setIsolationLevel' | 'execute'> {
  return {
    setIsolationLevel: (level) => numbered(builder.setIsolationLevel(level), onEnd) as Builder,
    execute: (work) =>
      builder.execute(async (tx) => {
        try {
          const value = await work(tx);
          onEnd(await drawNumber(tx), undefined);
          return value;
        } catch (error) {
          // After an error of its own the database takes no more statements.
          if (!isOfDatabase(error)) onEnd(await drawNumber(tx), error);
          throw error;
        }
      }),
  };
}

const isOfDatabase = (error: unknown) => error instanceof Error && 'severity' in error;

async function drawNumber(tx: Transaction): Promise<number> {
  const { rows } = await sql<{ order: number }>`select nextval('lock_order') as order`.execute(tx);
  return rows[0]?.order ?? 0;
}
