import type { Confidence, Severity } from '@sortie/contract';
import { type GivenDns, toDnsArtifacts } from '../evidence/dns/sample.ts';
import type { Artifacts, ScanEvidence } from '../evidence/evidence.ts';
import { keyOf, type Probe } from '../evidence/probes/files.ts';
import type { Endpoint } from '../evidence/tls/endpoints.ts';
import { type GivenHttps, type GivenTls, toEndpoints, toTlsArtifacts } from '../evidence/tls/sample.ts';
import type { Recipe } from './config-snippets.ts';
import { type GivenAnswer, type GivenProbes, toHop, toProbed } from './example-site.ts';
import type { Group } from './score.ts';

/** What a check yields per finding; all other fields come from the check itself. */
export interface Seen {
  evidence: string;
  /** Defaults to the main page. */
  url?: string;
  /** Override the values of the check. */
  severity?: Severity;
  confidence?: Confidence;
}

interface GivenPage extends GivenAnswer {
  body?: string;
}

/** Short form of a site: an HTML page at https://site.example/ with these deviations. */
export interface Given extends GivenPage, GivenProbes {
  /** Redirects that led to the page. */
  before?: readonly GivenPage[];
  /** Defaults to a compliant configuration. An HTTP site has TLS only if this is set. */
  tls?: GivenTls;
  https?: GivenHttps;
  /** Defaults to a single address, which leaves nothing to compare. */
  endpoints?: readonly Partial<Endpoint>[];
  /** Defaults to a compliant configuration; null for a site without a DNS name. */
  dns?: GivenDns | null;
}

interface Example {
  name: string;
  given: Given;
  /** Number of findings. */
  fails: number;
  /** Severity of all findings. */
  severity?: Severity;
}

export interface PassiveCheck<Needs extends keyof ScanEvidence = keyof ScanEvidence> {
  /** Equals the file name. */
  id: string;
  /** Equals the folder name. */
  group: Group;
  severity: Severity;
  /** Defaults to `FIRM`. */
  confidence?: Confidence;
  cwe: number | null;
  title: string;
  why: string;
  fix: string;
  /** Configuration change, rendered for the products that the site's headers name. */
  recipe?: Recipe;
  references: readonly string[];
  /** The evidence that `run` receives. */
  needs: readonly Needs[];
  /** Files to request. The check counts as not run if one of them could not be requested. */
  probes?: readonly Probe[];
  /** Checks whose failure explains this one, so that it does not count twice. */
  suppressedBy?: readonly string[];
  /** Pure function of the evidence: uses no clock and no network. */
  run(evidence: Pick<ScanEvidence, Needs>): Iterable<Seen>;
  /** Test cases: at least one that fails and one that passes. */
  examples: readonly Example[];
}

const defined = new WeakSet<object>();

export function definePassiveCheck<const Needs extends keyof ScanEvidence>(
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
