import { type DnsAnswer, isName, recordsOf } from '../../target/dns/message.ts';
import { isMissing, type Missing } from '../missing.ts';
import type { LookUps } from './look-ups.ts';

type Qualifier = '+' | '-' | '~' | '?';

/** The SPF policy: who may send mail for a domain (RFC 7208). */
export interface Spf {
  domain: string;
  /** All SPF records found. More than one is an error that invalidates them. */
  records: readonly string[];
  /** Qualifier of the `all` mechanism after redirects; null if there is none. */
  all: Qualifier | null;
  /** Number of terms that cause DNS lookups, including those of included records; counted up to one above the limit. */
  lookUps: number;
  /** Number of these lookups without a result (void lookups). */
  voids: number;
  usesPtr: boolean;
  /** Whether every term could be resolved. */
  isWhole: boolean;
}

/** Limits of RFC 7208 that receivers enforce. */
export const spfLimits = { lookUps: 10, voids: 2 } as const;

const VERSION = /^v=spf1(?: |$)/i;
const MECHANISM = /^([+?~-]?)(all|include|a|mx|ptr|exists|ip[46])(?:[:/].*)?$/i;
const MAX_QUESTIONS = 12;
const MAX_TERMS = 100;

interface Term {
  kind: string;
  qualifier: Qualifier;
  /** Name to look up; empty for the domain of the record. */
  target: string;
}

interface Walk {
  lookUps: LookUps;
  count: number;
  voids: number;
  questions: number;
  usesPtr: boolean;
  isWhole: boolean;
}

function readTerm(text: string): Term[] {
  const redirect = /^redirect=(.+)$/i.exec(text)?.[1];
  if (redirect !== undefined) return [{ kind: 'redirect', qualifier: '+', target: redirect.toLowerCase() }];
  const [, qualifier = '', kind = ''] = MECHANISM.exec(text) ?? [];
  if (kind === '') return [];
  // A /0 network contains every address, so it counts as `all`.
  const isEverybody = /^\+?ip[46]:[^/]+\/0$/i.test(text);
  const target = /:([^/]*)/.exec(text)?.[1] ?? '';
  return [
    {
      kind: isEverybody ? 'all' : kind.toLowerCase(),
      qualifier: (qualifier || '+') as Qualifier,
      target: target.toLowerCase().replace(/\.$/, ''),
    },
  ];
}

async function lookUp(walk: Walk, name: string, type: 'A' | 'MX' | 'TXT'): Promise<DnsAnswer | undefined> {
  // Macros expand only at the receiver and cannot be looked up.
  const isAsked = isName(name) && walk.questions < MAX_QUESTIONS;
  if (isAsked) walk.questions++;
  const answer = isAsked ? await walk.lookUps.ask(name, type) : undefined;
  if (answer && !isMissing(answer)) return answer;
  walk.isWhole = false;
  return undefined;
}

/** Evaluates the SPF record of another domain. */
async function followRecord(walk: Walk, name: string): Promise<Qualifier | null> {
  const answer = await lookUp(walk, name, 'TXT');
  if (!answer) return null;
  const texts = recordsOf(answer, 'TXT').map(({ data }) => data);
  if (texts.length === 0) walk.voids++;
  const records = texts.filter((text) => VERSION.test(text));
  return records.length === 1 ? followTerms(walk, name, records[0] ?? '') : null;
}

async function followTerm(walk: Walk, name: string, { kind, target }: Term): Promise<void> {
  if (kind === 'ip4' || kind === 'ip6' || ++walk.count > spfLimits.lookUps) return;
  if (kind === 'ptr') walk.usesPtr = true;
  if (kind === 'include') await followRecord(walk, target);
  if (kind !== 'a' && kind !== 'mx') return;
  const answer = await lookUp(walk, target || name, kind === 'a' ? 'A' : 'MX');
  const isVoid = kind === 'a' ? answer?.code === 'NXDOMAIN' : answer?.records.length === 0;
  if (isVoid) walk.voids++;
}

async function followTerms(walk: Walk, name: string, record: string): Promise<Qualifier | null> {
  const terms = record.split(/ +/).slice(1, MAX_TERMS).flatMap(readTerm);
  const all = terms.findIndex(({ kind }) => kind === 'all');
  const heeded = all < 0 ? terms : terms.slice(0, all);
  const [redirects, others] = [
    heeded.filter(({ kind }) => kind === 'redirect'),
    heeded.filter(({ kind }) => kind !== 'redirect'),
  ];
  await Promise.all(others.map((term) => followTerm(walk, name, term)));
  if (all >= 0) return terms[all]?.qualifier ?? null;
  const [redirect] = redirects;
  if (!redirect || ++walk.count > spfLimits.lookUps) return null;
  return followRecord(walk, redirect.target);
}

/** Resolves to the SPF record of a domain, with the lookups that evaluating it takes. */
export async function gatherSpf(lookUps: LookUps, domain: string): Promise<Spf | Missing> {
  const records = await lookUps.texts(domain, VERSION);
  if (isMissing(records)) return records;
  const walk: Walk = { lookUps, count: 0, voids: 0, questions: 0, usesPtr: false, isWhole: true };
  const all = records.length === 1 ? await followTerms(walk, domain, records[0] ?? '') : null;
  const { count, voids, usesPtr, isWhole } = walk;
  return { domain, records, all, lookUps: Math.min(count, spfLimits.lookUps + 1), voids, usesPtr, isWhole };
}
