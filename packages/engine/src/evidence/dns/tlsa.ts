import { createHash, X509Certificate } from 'node:crypto';
import { type RecordOf, recordsOf } from '../../target/dns/message.ts';
import type { Missing } from '../missing.ts';
import type { LookUps } from './look-ups.ts';

export type TlsaRecord = Pick<RecordOf<'TLSA'>, 'usage' | 'selector' | 'matchingType' | 'data'>;

/** TLSA records: the certificates a site publishes in DNS (DANE, RFC 6698). */
export interface Tlsa {
  name: string;
  /** Without DNSSEC the records have no effect. */
  isAuthentic: boolean;
  records: readonly TlsaRecord[];
}

const MAX_RECORDS = 16;

/** Resolves to the TLSA records for a port of a host. */
export async function gatherTlsa({ client }: LookUps, host: string, port: number): Promise<Tlsa | Missing> {
  const name = `_${port}._tcp.${host}`;
  const answer = await client.ask({ name, type: 'TLSA', wantsDnssec: true });
  if ('failure' in answer) return { missing: answer.failure };
  if (answer.code !== 'NOERROR' && answer.code !== 'NXDOMAIN') {
    return { missing: `The resolver failed for the query TLSA ${name}.` };
  }
  const records = recordsOf(answer, 'TLSA').slice(0, MAX_RECORDS);
  return {
    name,
    isAuthentic: answer.isAuthentic,
    records: records.map(({ usage, selector, matchingType, data }) => ({ usage, selector, matchingType, data })),
  };
}

type Form = (bytes: Buffer) => string;
const forms: Record<number, Form> = {
  0: (bytes) => bytes.toString('hex'),
  1: (bytes) => createHash('sha256').update(bytes).digest('hex'),
  2: (bytes) => createHash('sha512').update(bytes).digest('hex'),
};
const parts: Record<number, (der: Buffer) => Buffer> = {
  0: (der) => der,
  1: (der) => new X509Certificate(der).publicKey.export({ type: 'spki', format: 'der' }),
};
/** Usages for the site's own certificate (PKIX-EE, DANE-EE). */
const OF_SITE = new Set([1, 3]);
/** Usage for a CA certificate that the server sends (DANE-TA). */
const OF_SENT_AUTHORITY = 2;

/**
 * Returns whether the record matches one of the certificates (DER in base64), or undefined if that cannot be determined: for unknown
 * usages, and for roots, which servers do not send.
 */
export function fits(record: TlsaRecord, chain: readonly { der: string }[]): boolean | undefined {
  const [part, form] = [parts[record.selector], forms[record.matchingType]];
  const isOfSite = OF_SITE.has(record.usage);
  if (!part || !form || !(isOfSite || record.usage === OF_SENT_AUTHORITY)) return undefined;
  const judged = isOfSite ? chain.slice(0, 1) : chain.slice(1);
  return judged.some(({ der }) => form(part(Buffer.from(der, 'base64'))) === record.data);
}
