import { recordsOf } from '../../target/dns/message.ts';
import { isMissing, type Missing } from '../missing.ts';
import type { LookUps } from './look-ups.ts';

export interface Dnssec {
  domain: string;
  /**
   * As reported by a validating resolver. `BOGUS`: it returns SERVFAIL, but resolves the name with checking disabled.
   */
  state: 'SECURE' | 'INSECURE' | 'BOGUS';
  /** Whether the parent zone has a DS record for this zone. */
  hasDs: boolean;
  /** Null if the lookup failed. */
  hasKeys: boolean | null;
}

const UNCHECKED = 'The resolver does not validate DNSSEC.';

async function stateOf({ client }: LookUps, name: string): Promise<Dnssec['state'] | Missing> {
  const question = { name, type: 'SOA', wantsDnssec: true } as const;
  const checked = await client.ask(question);
  if ('failure' in checked) return { missing: checked.failure };
  if (checked.code === 'NOERROR' || checked.code === 'NXDOMAIN') return checked.isAuthentic ? 'SECURE' : 'INSECURE';
  if (checked.code !== 'SERVFAIL') return { missing: `The resolver refused the query for ${name}.` };
  const unchecked = await client.ask({ ...question, isUnchecked: true });
  const isThere = 'code' in unchecked && unchecked.code === 'NOERROR' && recordsOf(unchecked, 'SOA').length > 0;
  // Retries, because a resolver that was only overloaded would respond by now.
  const again = isThere ? await client.ask(question) : unchecked;
  return isThere && 'code' in again && again.code === 'SERVFAIL'
    ? 'BOGUS'
    : { missing: `The resolver failed for ${name}, and not only because of DNSSEC validation.` };
}

/** The root zone is signed, so a validating resolver marks its SOA record as authentic. */
async function checksSignatures({ client }: LookUps): Promise<boolean | Missing> {
  const answer = await client.ask({ name: '', type: 'SOA', wantsDnssec: true });
  return 'failure' in answer ? { missing: answer.failure } : answer.isAuthentic;
}

/** Resolves to the DNSSEC state of a domain: its DS and DNSKEY records, and whether they validate. */
export async function gatherDnssec(lookUps: LookUps, domain: string): Promise<Dnssec | Missing> {
  const [checks, state, ds, keys] = await Promise.all([
    checksSignatures(lookUps),
    stateOf(lookUps, domain),
    lookUps.ask(domain, 'DS'),
    lookUps.client.ask({ name: domain, type: 'DNSKEY', isUnchecked: true }),
  ]);
  if (isMissing(checks)) return checks;
  if (!checks) return { missing: UNCHECKED };
  if (isMissing(state)) return state;
  if (isMissing(ds)) return ds;
  const hasKeys = 'code' in keys && keys.code === 'NOERROR' ? recordsOf(keys, 'DNSKEY').length > 0 : null;
  return { domain, state, hasDs: recordsOf(ds, 'DS').length > 0, hasKeys };
}
