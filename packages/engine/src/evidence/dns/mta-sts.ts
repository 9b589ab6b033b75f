import { type Sender, StopSending } from '../../http/exchange/sender.ts';
import { recordsOf } from '../../target/dns/message.ts';
import { isMissing, type Missing } from '../missing.ts';
import type { LookUps } from './look-ups.ts';

interface MtaStsPolicy {
  mode: string;
  mx: readonly string[];
  maxAge: number;
}

/** The MTA-STS record and policy of a domain (RFC 8461). */
export interface MtaSts {
  domain: string;
  records: readonly string[];
  /** `problem` if the policy is unusable; null if there is no record or the policy could not be fetched. */
  policy: MtaStsPolicy | { problem: string } | null;
}

const VERSION = /^v=STSv1\s*;/;
const MAX_POLICY = 65_536;
const MAX_EXCHANGES = 100;
const MAX_AGE = 31_557_600;

/** Returns an MTA-STS policy (RFC 8461), or what is wrong with it. */
export function readPolicy(text: string): MtaStsPolicy | { problem: string } {
  const fields = text.split(/\r?\n/).flatMap((line) => {
    const [, name, value] = /^([a-z0-9_]+)[ \t]*:[ \t]*(.*?)[ \t]*$/i.exec(line.slice(0, 1_000)) ?? [];
    return name === undefined ? [] : [{ name: name.toLowerCase(), value: value ?? '' }];
  });
  const fieldOf = (name: string) => fields.find((field) => field.name === name)?.value ?? '';
  const mode = fieldOf('mode');
  const mx = fields.filter(({ name }) => name === 'mx').map(({ value }) => value.toLowerCase());
  if (fieldOf('version') !== 'STSv1') return { problem: 'the policy has no line "version: STSv1"' };
  if (!/^(?:enforce|testing|none)$/.test(mode)) return { problem: 'the policy has no valid mode' };
  if (!/^\d{1,10}$/.test(fieldOf('max_age')) || Number(fieldOf('max_age')) > MAX_AGE) {
    return { problem: 'the policy has no valid max_age' };
  }
  if (mode !== 'none' && mx.length === 0) return { problem: 'the policy lists no mail server' };
  return { mode, mx: mx.slice(0, MAX_EXCHANGES), maxAge: Number(fieldOf('max_age')) };
}

/** Returns undefined if the lookup failed. */
async function hasAddress(lookUps: LookUps, host: string): Promise<boolean | undefined> {
  for (const type of ['A', 'AAAA'] as const) {
    const answer = await lookUps.ask(host, type);
    if (isMissing(answer)) return undefined;
    if (recordsOf(answer, type).length > 0) return true;
  }
  return false;
}

async function fetchPolicy(sender: Pick<Sender, 'send'>, lookUps: LookUps, domain: string): Promise<MtaSts['policy']> {
  const host = `mta-sts.${domain}`;
  if ((await hasAddress(lookUps, host)) === false) return { problem: `${host} has no A or AAAA record` };
  const url = `https://${host}/.well-known/mta-sts.txt`;
  try {
    const request = { method: 'GET', url, purpose: 'look', bodyBytes: MAX_POLICY, verifyTls: true } as const;
    const { response, failure } = await sender.send(request);
    if (failure?.code === 'TLS') return { problem: `${host}: ${failure.message}` };
    if (!response) return null;
    if (response.status !== 200) return { problem: `${url} returned status ${response.status}` };
    return readPolicy(response.body.toString('latin1'));
  } catch (error) {
    if (!(error instanceof StopSending)) throw error;
    return null;
  }
}

/** Resolves to the MTA-STS record and policy of a domain. */
export async function gatherMtaSts(
  sender: Pick<Sender, 'send'>,
  lookUps: LookUps,
  domain: string,
): Promise<MtaSts | Missing> {
  const records = await lookUps.texts(`_mta-sts.${domain}`, VERSION);
  if (isMissing(records)) return records;
  return { domain, records, policy: records.length === 1 ? await fetchPolicy(sender, lookUps, domain) : null };
}

/** Whether the policy lists a mail server, by name or with a wildcard for its first label. */
export function isCovered(exchange: string, mx: readonly string[]): boolean {
  return mx.some((pattern) =>
    pattern.startsWith('*.') ? exchange.slice(exchange.indexOf('.')) === pattern.slice(1) : exchange === pattern,
  );
}
