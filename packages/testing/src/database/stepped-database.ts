import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import type { Database } from '../../../server/src/db/database.ts';
import type { Schema } from '../../../server/src/db/schema.ts';

/** Hooks around every statement. The sender of the statement receives what they throw. */
export interface Steps {
  before(statement: string, connection: number): Promise<void>;
  after(statement: string): Promise<void>;
}

/**
 * Returns the same database with hooks around every statement. A connection that lost a response is broken, and the
 * database rolls back its uncommitted work. Needs no cleanup.
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
  /** Whether the statement fails before it is sent, or its response is lost. */
  when: 'before it is sent' | 'when its answer is lost';
  /** After a crash, no further statement is sent. */
  isCrash: boolean;
}

export class PlannedFault extends Error {}

/** Returns hooks that fail as planned. Without a fault, `sent` lists the statements to plan for. */
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
