import { randomBytes } from 'node:crypto';
import { isName, recordsOf } from '../../target/dns/message.ts';
import { isMissing, type Missing } from '../missing.ts';
import type { LookUps } from './look-ups.ts';

export interface NameServers {
  domain: string;
  names: readonly string[];
  /** The /24 networks of the name servers (IPv4 only); null if not all addresses are known. */
  networks: readonly string[] | null;
}

const MAX_NAMES = 16;
/** Above this number, the addresses of the name servers are not looked up. */
const MAX_LOOKED_UP = 4;

async function networksOf(lookUps: LookUps, names: readonly string[]): Promise<string[] | null> {
  if (names.length < 2 || names.length > MAX_LOOKED_UP || !names.every(isName)) return null;
  const answers = await Promise.all(names.map((name) => lookUps.ask(name, 'A')));
  const networks = new Set<string>();
  for (const answer of answers) {
    const addresses = isMissing(answer) ? [] : recordsOf(answer, 'A');
    if (addresses.length === 0) return null;
    for (const { data } of addresses) networks.add(data.replace(/\.\d+$/, '.0/24'));
  }
  return [...networks];
}

/** Resolves to the name servers of a domain with their addresses. */
export async function gatherNameServers(lookUps: LookUps, domain: string): Promise<NameServers | Missing> {
  const answer = await lookUps.ask(domain, 'NS');
  if (isMissing(answer)) return answer;
  const names = [...new Set(recordsOf(answer, 'NS').map(({ data }) => data))].slice(0, MAX_NAMES);
  if (names.length === 0) return { missing: `The resolver returned no NS records for ${domain}.` };
  return { domain, names, networks: await networksOf(lookUps, names) };
}

export interface Wildcard {
  /** A random name that does not exist on its own. */
  name: string;
  isThere: boolean;
}

/** Resolves to whether the domain answers for a random name. */
export async function gatherWildcard(lookUps: LookUps, domain: string): Promise<Wildcard | Missing> {
  const name = `${randomBytes(8).toString('hex')}.${domain}`;
  const answer = await lookUps.ask(name, 'A');
  return isMissing(answer) ? answer : { name, isThere: answer.records.length > 0 };
}
