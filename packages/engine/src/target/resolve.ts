import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

/** Resolves names at the configured name servers. */
export interface NameLookUp {
  /**
   * Resolves with the addresses of a name, or with the address itself; empty if the name has none. Rejects if no name
   * server responds.
   */
  addresses(host: string): Promise<string[]>;
  /**
   * Resolves with the TXT records of a name, each concatenated; empty if there are none. Rejects if no name server
   * responds.
   */
  texts(name: string): Promise<string[]>;
  /** Resolves with the CNAME targets of a name; empty if there are none. Rejects if no name server responds. */
  aliases(name: string): Promise<string[]>;
}

const TRY_MS = 2_000;
const TRIES = 2;
const LOOPBACK = ['127.0.0.1', '::1'];
/** Definitive responses: there is no such record. */
const NOTHING_THERE = new Set(['ENODATA', 'ENOTFOUND']);

async function orNothing<Answer>(asking: Promise<Answer[]>): Promise<Answer[]> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof Error && 'code' in error && NOTHING_THERE.has(String(error.code))) return [];
    throw error;
  }
}

/** One address family may fail as long as the other one resolves: each address is checked on its own. */
async function bothFamilies(resolver: Resolver, name: string): Promise<string[]> {
  const answers = await Promise.allSettled([orNothing(resolver.resolve4(name)), orNothing(resolver.resolve6(name))]);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const failed = answers.find((answer) => answer.status === 'rejected');
  if (found.length === 0 && failed) throw failed.reason;
  return found;
}

const bareHost = (host: string) => host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');

/** Thrown for a host whose lookup is known to have failed. */
class LookupFailure extends Error {}

/** Codes of c-ares that a name server, the network or the name itself causes. */
const FAILED_LOOKUP =
  /^(?:EBADNAME|EBADQUERY|EBADRESP|ECANCELLED|ECONNREFUSED|EFORMERR|ENODATA|ENOTFOUND|ENOTIMP|EREFUSED|ESERVFAIL|ETIMEOUT)$/;

/** Whether a name could not be resolved; false for internal errors and if this machine is out of resources. */
export function isFailedLookup(error: unknown): boolean {
  if (error instanceof LookupFailure) return true;
  return error instanceof Error && 'code' in error && FAILED_LOOKUP.test(String(error.code));
}

/** Resolves one host to addresses that were looked up before; null if that lookup failed. */
export function pinHost(lookUp: NameLookUp, host: string, addresses: readonly string[] | null): NameLookUp {
  return {
    ...lookUp,
    async addresses(name) {
      if (bareHost(name).toLowerCase() !== bareHost(host).toLowerCase()) return lookUp.addresses(name);
      if (addresses === null) throw new LookupFailure(`The lookup of ${host} failed.`);
      return [...addresses];
    },
  };
}

/** Creates the lookup of host names at these name servers, or at those of the system if none are given. */
export function createNameLookUp(resolvers: readonly string[]): NameLookUp {
  const resolver = new Resolver({ timeout: TRY_MS, maxTimeout: TRY_MS, tries: TRIES });
  if (resolvers.length > 0) resolver.setServers([...resolvers]);
  return {
    async addresses(host) {
      const name = bareHost(host);
      if (isIP(name)) return [name];
      if (/(?:^|\.)localhost$/i.test(name)) return LOOPBACK;
      return bothFamilies(resolver, name);
    },
    async texts(name) {
      const records = await orNothing(resolver.resolveTxt(name.replace(/\.$/, '')));
      return records.map((pieces) => pieces.join(''));
    },
    aliases: (name) => orNothing(resolver.resolveCname(name.replace(/\.$/, ''))),
  };
}
