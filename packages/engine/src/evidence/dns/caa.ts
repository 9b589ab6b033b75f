import { type RecordOf, recordsOf } from '../../target/dns/message.ts';
import { isMissing, type Missing } from '../missing.ts';
import type { LookUps } from './look-ups.ts';
import { climb, type SiteNames } from './names.ts';

export type CaaRecord = Pick<RecordOf<'CAA'>, 'flags' | 'tag' | 'value'>;

/** CAA records: the CAs that may issue certificates (RFC 8659). */
export interface Caa {
  host: string;
  /** The closest name that has CAA records; null if there is none. */
  foundAt: string | null;
  records: readonly CaaRecord[];
}

const MAX_NAMES = 5;
const MAX_RECORDS = 30;

/** Climbs from the host to the registrable domain. The first name with CAA records decides. */
export async function gatherCaa(lookUps: LookUps, { host }: SiteNames, domain: string): Promise<Caa | Missing> {
  const names = climb(host, domain.split('.').length);
  if (names.length > MAX_NAMES) return { missing: `${host} has too many parent domains to query all of them.` };
  for (const name of names) {
    const answer = await lookUps.ask(name, 'CAA');
    if (isMissing(answer)) return answer;
    const records = recordsOf(answer, 'CAA').slice(0, MAX_RECORDS);
    if (records.length > 0) {
      return { host, foundAt: name, records: records.map(({ flags, tag, value }) => ({ flags, tag, value })) };
    }
  }
  return { host, foundAt: null, records: [] };
}

const CRITICAL = 128;
const KNOWN = new Set(['issue', 'issuewild', 'iodef', 'issuemail', 'issuevmc', 'contactemail', 'contactphone']);
const ISSUER = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*)?$/i;
const PARAMETERS = /^(?:;[\x20-\x7e\t]*)?$/;
const REPORT = /^(?:mailto:[^\s@]+@[^\s@]+|https?:\/\/\S+)$/i;

/**
 * Accepts an optional issuer domain, then parameters. Matched in two parts, because a single pattern with whitespace
 * around the name takes quadratic time.
 */
function isIssuer(value: string): boolean {
  const end = value.indexOf(';');
  const name = end < 0 ? value : value.slice(0, end);
  return ISSUER.test(name.trim()) && PARAMETERS.test(value.slice(name.length));
}

/** Describes what is wrong with a record, or returns undefined if it is valid. */
export function problemOf({ flags, tag, value }: CaaRecord): string | undefined {
  const kind = tag.toLowerCase();
  if (!/^[a-z0-9]+$/.test(kind)) return 'the tag contains characters other than letters and digits';
  if (!KNOWN.has(kind)) return flags & CRITICAL ? 'the tag is unknown and has the critical flag' : undefined;
  if (kind.startsWith('issue') && !isIssuer(value)) return 'the value is not an issuer domain';
  if (kind === 'iodef' && !REPORT.test(value)) return 'the value is neither a mailto: nor an https: URL';
  return undefined;
}

/** Returns the authorized issuer domains: empty if no CA is authorized, null if every CA is. */
export function allowedIssuers({ records }: Pick<Caa, 'records'>, isWildcard: boolean): string[] | null {
  const ofKind = (kind: string) => records.filter(({ tag }) => tag.toLowerCase() === kind);
  const special = isWildcard ? ofKind('issuewild') : [];
  const ruling = special.length > 0 ? special : ofKind('issue');
  if (ruling.length === 0) return null;
  return ruling.flatMap(({ value }) => value.split(';')[0]?.trim().toLowerCase() || []);
}

export const describeCaa = ({ flags, tag, value }: CaaRecord) => `${flags} ${tag} "${value}"`;
