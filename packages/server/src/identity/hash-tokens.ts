import { createHmac, type KeyObject } from 'node:crypto';
import type { DBAdapter, Where } from '@better-auth/core/db/adapter';

type Operations = Omit<DBAdapter, 'transaction'>;

interface Operation {
  model: string;
  where?: Where[] | undefined;
  data?: Record<string, unknown>;
}

/** Wraps an adapter so that session tokens are stored as keyed hashes; its callers see the tokens themselves. */
export function hashTokens(adapter: DBAdapter, key: KeyObject): DBAdapter {
  const hash = (token: unknown) => createHmac('sha256', key).update(String(token)).digest('base64url');
  return {
    ...wrap(adapter, hash),
    transaction: (work) => adapter.transaction((transaction) => work(wrap(transaction, hash))),
  };
}

const OPERATIONS = [
  'findOne',
  'findMany',
  'count',
  'update',
  'updateMany',
  'delete',
  'deleteMany',
  'consumeOne',
] as const;

function wrap(adapter: Operations, hash: (token: unknown) => string): Operations {
  const wrapped = { ...adapter };
  wrapped.create = (async (operation: Operation) => {
    const token = operation.model === 'session' ? operation.data?.token : undefined;
    if (token === undefined) return adapter.create(operation as never);
    const data = { ...operation.data, token: hash(token) };
    return { ...(await adapter.create<Record<string, unknown>>({ ...operation, data })), token };
  }) as DBAdapter['create'];
  for (const name of OPERATIONS) {
    const original = adapter[name] as (operation: Operation) => Promise<unknown>;
    wrapped[name] = (async (operation: Operation) => {
      if (operation.model !== 'session' || !operation.where) return original(operation);
      const tokens = new Map<string, unknown>();
      const hashed = (token: unknown) => {
        const value = hash(token);
        tokens.set(value, token);
        return value;
      };
      const where = operation.where.map((condition) =>
        condition.field === 'token' ? { ...condition, value: mapValue(condition.value, hashed) } : condition,
      );
      return restore(await original({ ...operation, where: where as Where[] }), tokens);
    }) as never;
  }
  return wrapped;
}

const mapValue = (value: unknown, map: (each: unknown) => string) =>
  Array.isArray(value) ? value.map(map) : map(value);

/** Restores the requested tokens in the rows. */
function restore(result: unknown, tokens: ReadonlyMap<string, unknown>): unknown {
  if (Array.isArray(result)) return result.map((row) => restore(row, tokens));
  if (typeof result !== 'object' || result === null || !('token' in result)) return result;
  return { ...result, token: tokens.get(String(result.token)) ?? result.token };
}
