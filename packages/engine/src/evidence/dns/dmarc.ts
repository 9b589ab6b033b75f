import { isMissing, type Missing } from '../missing.ts';
import type { LookUps } from './look-ups.ts';
import { climb } from './names.ts';

/** The DMARC policy for mail that fails authentication (RFC 9989). */
export interface Dmarc {
  domain: string;
  /** The closest name with a valid record; null if there is none. */
  foundAt: string | null;
  /** All DMARC records found. Receivers ignore them if there is more than one. */
  records: readonly string[];
  /** External domains that receive reports, and whether they authorize them; null if the lookup failed. */
  receivers: readonly { domain: string; isWilling: boolean | null }[];
}

export type DmarcPolicy = 'none' | 'quarantine' | 'reject';

const VERSION = /^v\s*=\s*DMARC1\s*(?:;|$)/;
const POLICY = /^(?:none|quarantine|reject)$/i;
const MAX_NAMES = 4;
const MAX_RECEIVERS = 2;

/** Returns the tags by name. The first of duplicate tags counts. */
export function tagsOf(record: string): ReadonlyMap<string, string> {
  const pairs = record.split(';').flatMap((part) => {
    const [, name, value] = /^\s*([a-z0-9_]+)\s*=\s*(.*?)\s*$/i.exec(part.slice(0, 1_000)) ?? [];
    return name === undefined ? [] : [[name.toLowerCase(), value ?? ''] as const];
  });
  return new Map(pairs.reverse());
}

const addressesOf = (record: string, tag: string) =>
  (tagsOf(record).get(tag) ?? '')
    .split(',')
    .map((uri) => uri.trim())
    .filter((uri) => uri !== '');

const hostOf = (uri: string) => /^mailto:[^@\s]+@([a-z0-9.-]+?)(?:![0-9]+[kmgt]?)?$/i.exec(uri)?.[1]?.toLowerCase();

const isWithin = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`);

async function receiversOf(lookUps: LookUps, domain: string, record: string): Promise<Dmarc['receivers']> {
  const hosts = new Set(
    [...addressesOf(record, 'rua'), ...addressesOf(record, 'ruf')].flatMap((uri) => hostOf(uri) ?? []),
  );
  const others = [...hosts].filter((host) => !isWithin(host, domain)).slice(0, MAX_RECEIVERS);
  return Promise.all(
    others.map(async (host) => {
      const texts = await lookUps.texts(`${domain}._report._dmarc.${host}`, VERSION);
      return { domain: host, isWilling: isMissing(texts) ? null : texts.length > 0 };
    }),
  );
}

/** Climbs the DNS tree, starting at the registrable domain. */
export async function gatherDmarc(lookUps: LookUps, domain: string): Promise<Dmarc | Missing> {
  for (const name of climb(domain, 1).slice(0, MAX_NAMES)) {
    const records = await lookUps.texts(`_dmarc.${name}`, VERSION);
    if (isMissing(records)) return records;
    const isOwn = name === domain;
    if (records.length === 0 || (records.length > 1 && !isOwn)) continue;
    const receivers = isOwn && records.length === 1 ? await receiversOf(lookUps, domain, records[0] ?? '') : [];
    return { domain, foundAt: name, records, receivers };
  }
  return { domain, foundAt: null, records: [], receivers: [] };
}

const toPolicy = (text: string | undefined) =>
  text !== undefined && POLICY.test(text) ? (text.toLowerCase() as DmarcPolicy) : undefined;

/**
 * Returns the policies for the domain and for its subdomains, or null without a valid record. Test mode (`t=y`) weakens
 * a policy by one level.
 */
export function policiesOf({ domain, foundAt, records }: Dmarc): { own: DmarcPolicy; below: DmarcPolicy } | null {
  if (foundAt === null || records.length !== 1) return null;
  const tags = tagsOf(records[0] ?? '');
  const written = toPolicy(tags.get('p')) ?? 'none';
  const below = toPolicy(tags.get('sp')) ?? written;
  const milder = (policy: DmarcPolicy): DmarcPolicy => (policy === 'reject' ? 'quarantine' : 'none');
  const heeded = (policy: DmarcPolicy) => (tags.get('t')?.toLowerCase() === 'y' ? milder(policy) : policy);
  return { own: heeded(foundAt === domain ? written : below), below: heeded(below) };
}

/** Lists the errors of the record. An inherited record is not the domain's own and is not judged. */
export function problemsOf({ domain, foundAt, records, receivers }: Dmarc): string[] {
  if (foundAt !== domain) return [];
  if (records.length > 1) return [`${records.length} records found; receivers ignore all of them`];
  const [record = ''] = records;
  const tags = tagsOf(record);
  const malformed = record.split(';').filter((part) => part.trim() !== '' && !/^\s*[a-z0-9_]+\s*=/i.test(part));
  const uris = [...addressesOf(record, 'rua'), ...addressesOf(record, 'ruf')];
  return [
    ...malformed.map((part) => `"${part.trim().slice(0, 60)}" is not a tag=value pair`),
    ...['p', 'sp', 'np']
      .filter((tag) => tags.has(tag) && !toPolicy(tags.get(tag)))
      .map((tag) => `${tag}=${tags.get(tag)?.slice(0, 60)} is not a valid policy`),
    ...(tags.has('p') ? [] : ['the policy tag p= is missing']),
    ...uris.filter((uri) => !hostOf(uri)).map((uri) => `${uri.slice(0, 100)} is not a mailto: URI`),
    ...receivers
      .filter(({ isWilling }) => isWilling === false)
      .map((receiver) => `${receiver.domain} does not authorize reports for ${domain}`),
  ];
}
