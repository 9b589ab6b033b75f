import { explainDatabaseError } from '../admin/database-error.ts';
import type { Catalogue } from '../billing/catalogue.ts';
import { type ConnectionSettings, inTransaction, openDatabase } from '../db/database.ts';
import { readDemoStatus } from './read-demo.ts';
import { type DemoReset, resetDemo } from './reset-demo.ts';

export type { DemoStatus } from './read-demo.ts';
export type { DemoReset } from './reset-demo.ts';

interface DemoOptions {
  /** Undefined if no database is running. */
  connection: ConnectionSettings | undefined;
  dataDir: string;
  catalogue: Catalogue;
}

/** Returns the demo commands of the command line, which run beside the server. */
export function openDemo({ connection, dataDir, catalogue }: DemoOptions) {
  const database = connection && openDatabase(connection, { connections: 1, applicationName: 'sortie demo' });
  const explained = <T>(work: Promise<T>) =>
    work.catch((error: unknown) => {
      throw explainDatabaseError(error);
    });
  return {
    status: () => explained(readDemoStatus(dataDir, database?.queries)),
    /** Resolves to undefined if no database is running. */
    reset: async (): Promise<DemoReset | undefined> =>
      database && explained(inTransaction(database, (tx) => resetDemo(tx, dataDir, catalogue))),
    close: async () => database?.close(),
  };
}
