import assert from 'node:assert/strict';
import type http from 'node:http';
import path from 'node:path';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { type Answer, call } from '../http/call.ts';
import { createTestFolder, type TestFolder } from './data-folder.ts';
import type { ReadyLine } from './server.ts';
import { killLeftovers, quietFlags, startUp, type Up, waitFor } from './up.ts';

const STOP_WITHIN_MS = 5_000;

export interface Node extends ReadyLine {
  up: Up;
}

/** Server nodes on one database, each with its own data folder. */
export interface Nodes {
  folder: TestFolder;
  testDatabase: TestDatabase;
  newDataDir(): string;
  /** Starts a node on the shared database, with its own demo account. */
  startNode(flags?: string[], env?: Record<string, string>): Promise<Node>;
  waitUntilRequestWaits(): Promise<void>;
  /** Simulates a database outage: closes all connections and refuses new ones. */
  refuseConnections(): Promise<void>;
  allowConnections(): Promise<void>;
  close(): Promise<void>;
}

export async function openNodes(): Promise<Nodes> {
  const folder = await createTestFolder();
  const testDatabase = await createTestDatabase();
  let dataFolders = 0;
  const newDataDir = () => path.join(folder.root, `data-${dataFolders++}`);
  return {
    folder,
    testDatabase,
    newDataDir,
    async startNode(flags = [], env = {}) {
      const up = startUp({
        flags: quietFlags(newDataDir(), ...flags),
        env: { DATABASE_URL: testDatabase.url, ...env },
      });
      return { up, ...(await up.ready()) };
    },
    waitUntilRequestWaits: () => waitUntilRequestWaits(testDatabase),
    refuseConnections: () => alterDatabase(testDatabase, 'allow_connections false'),
    allowConnections: () => alterDatabase(testDatabase, 'allow_connections true'),
    async close() {
      killLeftovers();
      await testDatabase.drop();
      await folder.remove();
    },
  };
}

export const readBalance = ({ baseUrl, demo }: ReadyLine, options: { agent?: http.Agent } = {}): Promise<Answer> =>
  call(`${baseUrl}/v1/credits/balance`, { key: demo?.apiKey ?? '', ...options });

export const readiness = async ({ opsUrl }: ReadyLine) => (await call(`${opsUrl}/readyz`)).status;

export async function isServing(node: ReadyLine): Promise<boolean> {
  const answer = await readBalance(node);
  if (answer.status === 200) return true;
  assert.equal(answer.status, 500, answer.text);
  assert.equal(answer.body?.code, 'INTERNAL_ERROR');
  assert.equal(answer.body?.statusCode, 500);
  assert.equal(typeof answer.body?.message, 'string');
  return false;
}

export async function assertEnds(node: Node): Promise<void> {
  const { code, durationMs } = await node.up.end('SIGTERM');
  assert.equal(code, 0, node.up.stderr());
  assert.ok(durationMs < STOP_WITHIN_MS, `the stop took ${Math.round(durationMs)} ms`);
}

async function waitUntilRequestWaits({ database }: TestDatabase): Promise<void> {
  await waitFor(
    async () => {
      const { rows } = await database.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    },
    { what: 'a request to wait for the counter' },
  );
}

async function alterDatabase({ connection }: TestDatabase, change: string): Promise<void> {
  const { database: name, ...server } = connection;
  const client = new pg.Client({ ...server, database: 'postgres' });
  await client.connect();
  await client.query(`alter database ${name} ${change}`);
  await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  await client.end();
}
