import { recordsOf } from '../../target/dns/message.ts';
import { isMissing, type Missing } from '../missing.ts';
import type { LookUps } from './look-ups.ts';

export interface Mail {
  domain: string;
  /** Hosts of the MX records; empty if there are none. */
  exchanges: readonly string[];
  /** Whether a null MX record (RFC 7505) says that the domain accepts no mail. */
  isNone: boolean;
}

const MAX_EXCHANGES = 20;

/** Resolves to the mail servers of a domain (MX records). */
export async function gatherMail(lookUps: LookUps, domain: string): Promise<Mail | Missing> {
  const answer = await lookUps.ask(domain, 'MX');
  if (isMissing(answer)) return answer;
  const all = recordsOf(answer, 'MX').map(({ exchange }) => exchange);
  const exchanges = [...new Set(all)].filter((exchange) => exchange !== '').slice(0, MAX_EXCHANGES);
  return { domain, exchanges, isNone: all.length > 0 && exchanges.length === 0 };
}

/** TLS-RPT records and the name they were found at. */
export interface TlsReporting {
  name: string;
  records: readonly string[];
}

/** Resolves to the SMTP TLS reporting records of a domain (RFC 8460). */
export async function gatherTlsReporting(lookUps: LookUps, domain: string): Promise<TlsReporting | Missing> {
  const name = `_smtp._tls.${domain}`;
  const records = await lookUps.texts(name, /^v=TLSRPTv1\s*;/);
  return isMissing(records) ? records : { name, records };
}

/** DKIM keys found under common selectors. */
export interface Dkim {
  domain: string;
  /** Selectors that were tried. */
  selectors: readonly string[];
  keys: readonly { selector: string; record: string }[];
}

/** Selectors of mail services and of default mail server installations, the most common first. */
const SELECTORS = ['default', 'google', 'selector1', 'selector2', 'k1', 's1', 'dkim', 'mail'];
const KEY = /(?:^|;)\s*p\s*=/i;

/** Tries as many selectors as the query limit still allows. */
export async function gatherDkim(lookUps: LookUps, domain: string): Promise<Dkim | Missing> {
  // Each query can need a retry.
  const selectors = SELECTORS.slice(0, Math.floor(lookUps.client.packetsLeft() / 2));
  if (selectors.length === 0) return { missing: 'The DNS query limit was reached before the lookup of DKIM keys.' };
  const found = await Promise.all(
    selectors.map(async (selector) => ({
      selector,
      texts: await lookUps.texts(`${selector}._domainkey.${domain}`, KEY),
    })),
  );
  const missing = found.map(({ texts }) => texts).find(isMissing);
  const keys = found.flatMap(({ selector, texts }) =>
    isMissing(texts) ? [] : texts.slice(0, 1).map((record) => ({ selector, record })),
  );
  // One key is enough to judge. That there is none is certain only if every lookup succeeded.
  return missing && keys.length === 0 ? missing : { domain, selectors, keys };
}
