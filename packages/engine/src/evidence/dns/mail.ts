import { recordsOf } from '../../target/dns/message.ts';
import { isMissing, type Missing } from '../missing.ts';
import type { LookUps } from './look-ups.ts';

export interface Mail {
  domain: string;
  /** Where mail goes; empty when nothing is said. */
  exchanges: readonly string[];
  /** The domain says that it takes no mail at all: RFC 7505. */
  isNone: boolean;
}

const MAX_EXCHANGES = 20;

export async function gatherMail(lookUps: LookUps, domain: string): Promise<Mail | Missing> {
  const answer = await lookUps.ask(domain, 'MX');
  if (isMissing(answer)) return answer;
  const all = recordsOf(answer, 'MX').map(({ exchange }) => exchange);
  const exchanges = [...new Set(all)].filter((exchange) => exchange !== '').slice(0, MAX_EXCHANGES);
  return { domain, exchanges, isNone: all.length > 0 && exchanges.length === 0 };
}

/** Records that ask for something, by the names they are at. */
export interface TlsReporting {
  name: string;
  records: readonly string[];
}

export async function gatherTlsReporting(lookUps: LookUps, domain: string): Promise<TlsReporting | Missing> {
  const name = `_smtp._tls.${domain}`;
  const records = await lookUps.texts(name, /^v=TLSRPTv1\s*;/);
  return isMissing(records) ? records : { name, records };
}

/** Keys that sign mail, as far as their names could be guessed. */
export interface Dkim {
  domain: string;
  /** Names that were tried. */
  selectors: readonly string[];
  keys: readonly { selector: string; record: string }[];
}

/** The likeliest first: of mail services and of mail servers as they are installed. */
const SELECTORS = ['default', 'google', 'selector1', 'selector2', 'k1', 's1', 'dkim', 'mail'];
const KEY = /(?:^|;)\s*p\s*=/i;

/** As many as are left after everything else. */
export async function gatherDkim(lookUps: LookUps, domain: string): Promise<Dkim | Missing> {
  // Each may have to be asked twice.
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
  // One key is enough to judge; none is known only when all have been asked.
  return missing && keys.length === 0 ? missing : { domain, selectors, keys };
}
