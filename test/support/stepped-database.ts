import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import type { Database } from '../../packages/server/src/db/database.ts';
import type { Schema } from '../../packages/server/src/db/schema.ts';

/** What is done around every statement that goes to the database. What it throws, the sender of the statement gets. */
export interface Steps {
  before(statement: string, connection: number): Promise<void>;
  after(statement: string): Promise<void>;
}

/**
 * The same database, with the steps taken at every statement. A connection on which an answer was lost is broken, and
 * the database undoes what was not committed on it. Nothing needs to be closed.
 */
export function stepDatabase(database: Database, steps: Steps): Database {
  const { pool } = database;
  async function connect(): Promise<PostgresPoolClient> {
    const client = await pool.connect();
    const { processID = 0 } = client as { processID?: number };
    let isBroken = false;
    async function query(text: string, values: unknown[]) {
      if (isBroken) throw new PlannedFault('the connection is broken');
      await steps.before(text, processID);
      const result = await client.query(text, values);
      isBroken = true;
      await steps.after(text);
      isBroken = false;
      return result;
    }
    const release = (destroy = false) => client.release(destroy || isBroken);
    return { query: query as unknown as PostgresPoolClient['query'], release };
  }
  const dialect = new PostgresDialect({ pool: { connect, end: () => Promise.resolve(), options: {} } });
  return { pool, queries: new Kysely<Schema>({ dialect }), close: () => Promise.resolve() };
}

export interface Fault {
  /** Counted from one, over all statements of the database. */
  statement: number;
  /** Whether it fails on its way to the database, or the answer on its way back. */
  when: 'before it is sent' | 'when its answer is lost';
  /** In a crash, nothing is sent any more. */
  isCrash: boolean;
}

export class PlannedFault extends Error {}

/** Fails as planned. Also for a database without a plan: then `sent` tells what there is to plan for. */
export function planFault(fault?: Fault): Steps & { sent: string[] } {
  const sent: string[] = [];
  let isDead = false;
  function fail(): never {
    isDead = fault?.isCrash ?? false;
    throw new PlannedFault(`statement ${sent.length} fails: ${sent.at(-1)}`);
  }
  return {
    sent,
    async before(statement) {
      if (isDead) throw new PlannedFault('the process is dead');
      sent.push(statement);
      if (sent.length === fault?.statement && fault.when === 'before it is sent') fail();
    },
    async after() {
      if (sent.length === fault?.statement && fault.when === 'when its answer is lost') fail();
    },
  };
}
