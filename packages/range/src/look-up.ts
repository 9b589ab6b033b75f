import { Resolver } from 'node:dns/promises';

/** Resolves to the address of a name, or undefined if it is unknown. */
export type LookUp = (name: string) => Promise<string | undefined>;

export const knowsNobody: LookUp = async () => undefined;

const PATIENCE_MS = 2_000;

/** Returns a lookup that queries one name server on loopback, `127.0.0.1:PORT`. Other servers are never queried. */
export function askAt(server: string | undefined): LookUp {
  if (server === undefined || !/^127\.0\.0\.1:\d+$/.test(server)) return knowsNobody;
  const resolver = new Resolver({ timeout: PATIENCE_MS, tries: 1 });
  resolver.setServers([server]);
  return async (name) => (await resolver.resolve4(name).catch(() => []))[0];
}
