import type { Confidence, Severity } from '@sortie/contract';
import { type GivenDns, toDnsArtifacts } from '../evidence/dns/sample.ts';
import type { Artifacts, Evidence } from '../evidence/evidence.ts';
import { keyOf, type Probe } from '../evidence/probes/files.ts';
import type { Endpoint } from '../evidence/tls/endpoints.ts';
import { type GivenHttps, type GivenTls, toEndpoints, toTlsArtifacts } from '../evidence/tls/sample.ts';
import type { Recipe } from './config-snippets.ts';
import { type GivenAnswer, type GivenProbes, toHop, toProbed } from './example-site.ts';
import type { Group } from './score.ts';

/** What a check yields: where it looked and what it saw. The rest is the same for all its findings. */
export interface Seen {
  evidence: string;
  /** When it is not the main page. */
  url?: string;
  /** When they are not the check's own. */
  severity?: Severity;
  confidence?: Confidence;
}

interface GivenPage extends GivenAnswer {
  body?: string;
}

/** A site in few words: a page of HTML at https://site.example/, but where it says otherwise. */
export interface Given extends GivenPage, GivenProbes {
  /** The redirects that led to the page. */
  before?: readonly GivenPage[];
  /** Good unless told; asked about only next to https, or when it is told. */
  tls?: GivenTls;
  https?: GivenHttps;
  /** One unless told: nothing to compare. */
  endpoints?: readonly Partial<Endpoint>[];
  /** Good unless told; null for a site that has no name. */
  dns?: GivenDns | null;
}

interface Example {
  name: string;
  given: Given;
  /** So many findings. */
  fails: number;
  /** Of all of them. */
  severity?: Severity;
}

export interface PassiveCheck<Needs extends keyof Evidence = keyof Evidence> {
  /** As the file is named. */
  id: string;
  /** As its folder is named. */
  group: Group;
  severity: Severity;
  /** `FIRM` unless it says otherwise. */
  confidence?: Confidence;
  cwe: number | null;
  title: string;
  why: string;
  fix: string;
  /** The line to write, for the programs that the site says it runs on. */
  recipe?: Recipe;
  references: readonly string[];
  /** What `run` is given, and nothing else. */
  needs: readonly Needs[];
  /** What it would like to find in `files`; it was not run as long as one of them could not be looked at. */
  probes?: readonly Probe[];
  /** Checks whose failure explains this one's: then it is not counted as well. */
  suppressedBy?: readonly string[];
  /** Looks at evidence and at nothing else: no clock, no network. */
  run(evidence: Pick<Evidence, Needs>): Iterable<Seen>;
  /** The test of the check: at least one that fails and one that passes. */
  examples: readonly Example[];
}

const defined = new WeakSet<object>();

export function definePassiveCheck<const Needs extends keyof Evidence>(
  check: PassiveCheck<Needs>,
): PassiveCheck<Needs> {
  defined.add(check);
  return check;
}

export function isPassiveCheck(value: unknown): value is PassiveCheck {
  return typeof value === 'object' && value !== null && defined.has(value);
}

export function toArtifacts(
  { before = [], body = '', tls, https, endpoints, dns, ...last }: Given,
  probes: readonly Probe[] = [],
): Artifacts {
  const hops = [
    ...before.map(({ body, ...answer }) => ({
      ...toHop({ status: 302, ...answer }),
      ...(body && { redirectBody: body }),
    })),
    toHop({ ...last, headers: { 'content-type': 'text/html; charset=utf-8', ...last.headers } }),
  ];
  const isHttps = hops.at(-1)?.url.startsWith('https:') ?? false;
  const mainPage = { hops, body, isCut: false, gatheredAt: '2026-01-01T00:00:00.000Z' };
  return {
    mainPage,
    ...toProbed(last, probes.map(keyOf)),
    ...toTlsArtifacts(isHttps, tls, https),
    ...toDnsArtifacts(dns),
    endpoints: toEndpoints(endpoints),
  };
}
