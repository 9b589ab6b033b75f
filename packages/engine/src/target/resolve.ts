import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

/** Looks names up at the configured name servers. */
export interface NameLookUp {
  /** Of a name, or the address itself; empty when the name has none. Throws when nobody could be asked. */
  addresses(host: string): Promise<string[]>;
  /** Of a name, each record in one piece; empty when there are none. Throws when nobody could be asked. */
  texts(name: string): Promise<string[]>;
  /** What a name is another name for; empty when it is none. Throws when nobody could be asked. */
  aliases(name: string): Promise<string[]>;
}

const TRY_MS = 2_000;
const TRIES = 2;
const LOOPBACK = ['127.0.0.1', '::1'];
/** The name servers have spoken: there is nothing of the kind. */
const NOTHING_THERE = new Set(['ENODATA', 'ENOTFOUND']);

async function orNothing<Answer>(asking: Promise<Answer[]>): Promise<Answer[]> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof Error && 'code' in error && NOTHING_THERE.has(String(error.code))) return [];
    throw error;
  }
}

/** One family may fail as long as the other answers: each answer is judged by itself. */
async function bothFamilies(resolver: Resolver, name: string): Promise<string[]> {
  const answers = await Promise.allSettled([orNothing(resolver.resolve4(name)), orNothing(resolver.resolve6(name))]);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const failed = answers.find((answer) => answer.status === 'rejected');
  if (found.length === 0 && failed) throw failed.reason;
  return found;
}

const bareHost = (host: string) => host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');

/** Answers for one host with addresses that were resolved before; null when that lookup failed. */
export function pinHost(lookUp: NameLookUp, host: string, addresses: readonly string[] | null): NameLookUp {
  return {
    ...lookUp,
    async addresses(name) {
      if (bareHost(name).toLowerCase() !== bareHost(host).toLowerCase()) return lookUp.addresses(name);
      if (addresses === null) throw new Error(`the lookup of ${host} failed`);
      return [...addresses];
    },
  };
}

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
