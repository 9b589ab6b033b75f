import { dashboardEndpoints, type Endpoint, endpoints } from '@sortie/contract';
import type { Plugin } from 'vite';

const NAME = 'virtual:calls';
const ACCOUNT_PATH = '/api/accounts/{accountId}';

/**
 * Gives the page the method and the path of each endpoint, without the schemas and descriptions of the contract: they
 * would be a third of its scripts.
 */
export function callTable(): Plugin {
  const resolved = `\0${NAME}`;
  return {
    name: 'call-table',
    resolveId: (id) => (id === NAME ? resolved : undefined),
    load: (id) => (id === resolved ? `export const calls = ${JSON.stringify(readTable())};` : undefined),
  };
}

function readTable(): Record<string, readonly [method: string, path: string]> {
  const entry = ([name, { method, path }]: [string, Endpoint]) =>
    [name, [method, path.replace('/v1', ACCOUNT_PATH)]] as const;
  const { getKey: _, ...publicEndpoints } = endpoints;
  return Object.fromEntries([...Object.entries(publicEndpoints), ...Object.entries(dashboardEndpoints)].map(entry));
}
