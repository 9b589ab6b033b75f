import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Database, Queries, Transaction } from '../../../../server/src/db/database.ts';

/** Called at the end of a transaction, with the error if it failed. */
type OnEnd = (order: number, error: unknown) => void;
type Builder = ReturnType<Queries['transaction']>;

/**
 * Returns the same database, but every transaction draws a number before it releases its locks. Of two conflicting
 * transactions the later one draws the higher number, so the numbers are a valid serialization order. Requires the
 * sequence `lock_order`.
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
          // After a database error the transaction is aborted and accepts no more statements.
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
