import { Resolver } from 'node:dns/promises';

/** Reserved by RFC 2606: every name server answers that it does not exist. */
const RESERVED_NAME = 'sortie.invalid';
const ANSWERED = ['ENOTFOUND', 'ENODATA'];

export interface NameServerProbe {
  servers: readonly string[];
  /** Why no server responded; null if one did. */
  failure: string | null;
}

/** Sends one query to the given name servers, or to those of the system if none are given. */
export async function probeNameServers(given: readonly string[], timeoutMs: number): Promise<NameServerProbe> {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 1 });
  if (given.length > 0) resolver.setServers(given);
  const servers = resolver.getServers();
  try {
    await resolver.resolveTxt(RESERVED_NAME);
    return { servers, failure: null };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return { servers, failure: ANSWERED.includes(code) ? null : code };
  }
}
