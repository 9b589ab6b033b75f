import { type DnsAnswer, recordsOf } from '../../target/dns/message.ts';
import { isMissing, type Missing } from '../missing.ts';
import type { LookUps } from './look-ups.ts';
import type { SiteNames } from './names.ts';

export interface NamedHost {
  host: string;
  /** Targets of the CNAME chain, in order. */
  aliases: readonly string[];
  /** Whether the last alias does not exist, confirmed by a second query. */
  isDangling: boolean;
  ipv4: readonly string[];
  ipv6: readonly string[];
}

export interface HostNames {
  domain: string | null;
  site: NamedHost;
  /** The name with or without www, looked up over IPv4 only; null if there is none or its lookup failed. */
  counterpart: NamedHost | null;
}

const MAX_ALIASES = 16;
const MAX_ADDRESSES = 16;

function aliasesOf(host: string, answers: readonly DnsAnswer[]): string[] {
  const targets = new Map(
    answers.flatMap((answer) => recordsOf(answer, 'CNAME')).map(({ name, data }) => [name, data]),
  );
  const aliases: string[] = [];
  for (let next = targets.get(host); next !== undefined && !aliases.includes(next); next = targets.get(next)) {
    aliases.push(next);
    if (aliases.length === MAX_ALIASES) break;
  }
  return aliases;
}

/** Queries the alias itself, to confirm that it does not exist. */
async function isGone(lookUps: LookUps, alias: string | undefined): Promise<boolean> {
  if (alias === undefined) return false;
  const answer = await lookUps.ask(alias, 'A');
  return !isMissing(answer) && answer.code === 'NXDOMAIN';
}

async function gatherHost(lookUps: LookUps, host: string, types: readonly ('A' | 'AAAA')[]) {
  const answers = await Promise.all(types.map((type) => lookUps.ask(host, type)));
  const known = answers.filter((answer): answer is DnsAnswer => !isMissing(answer));
  const missing = answers.find(isMissing);
  if (missing) return missing;
  const aliases = aliasesOf(host, known);
  const isNowhere = known.every(({ code }) => code === 'NXDOMAIN');
  const addresses = (type: 'A' | 'AAAA') =>
    known
      .flatMap((answer) => recordsOf(answer, type))
      .map(({ data }) => data)
      .slice(0, MAX_ADDRESSES);
  return {
    host,
    aliases,
    isDangling: isNowhere && (await isGone(lookUps, aliases.at(-1))),
    ipv4: addresses('A'),
    ipv6: addresses('AAAA'),
  };
}

function counterpartOf({ host, domain }: SiteNames): string | undefined {
  if (host === domain) return `www.${domain}`;
  return host === `www.${domain}` ? (domain ?? undefined) : undefined;
}

/** Resolves to the addresses and aliases of the site, and of its name with or without www. */
export async function gatherHostNames(lookUps: LookUps, names: SiteNames): Promise<HostNames | Missing> {
  const other = counterpartOf(names);
  const [site, counterpart] = await Promise.all([
    gatherHost(lookUps, names.host, ['A', 'AAAA']),
    other === undefined ? null : gatherHost(lookUps, other, ['A']),
  ]);
  if (isMissing(site)) return site;
  return { domain: names.domain, site, counterpart: isMissing(counterpart) ? null : counterpart };
}
