import type pg from 'pg';

const CANNOT_CONNECT = '08001';
const CONNECTION_FAILURE = '08006';

/** Runs the operations of a pool and adds to their connection errors the SQLSTATE that the driver omits. */
export interface ConnectionErrors {
  connect(): Promise<pg.PoolClient>;
  run<T>(client: pg.PoolClient, operation: Promise<T>): Promise<T>;
}

/** Decides by the state of the pool and the client, because the driver words these errors in many ways. */
export function createConnectionErrors(pool: pg.Pool): ConnectionErrors {
  const broken = new WeakSet<pg.PoolClient>();
  pool.on('connect', (client) => {
    for (const event of ['error', 'end'] as const) client.once(event, () => broken.add(client));
  });
  return {
    connect: () => pool.connect().catch((error) => throwWithCode(error, pool.ending ? undefined : CANNOT_CONNECT)),
    run: (client, operation) =>
      operation.catch((error) => throwWithCode(error, broken.has(client) ? CONNECTION_FAILURE : undefined)),
  };
}

function throwWithCode(error: unknown, code: string | undefined): never {
  if (code === undefined || !(error instanceof Error) || 'code' in error) throw error;
  throw Object.assign(error, { code });
}
