import type { ScannedPage } from '../html/scan-page.ts';
import type { Content } from './content.ts';
import type { DnsArtifacts, NamesEvidence } from './dns/gather-dns.ts';
import { isMissing, type Missing } from './missing.ts';
import { cookiesOf, type SeenCookie } from './page/cookies.ts';
import { type MainDocument, type NavigationResponse, toMainDocument, toSteps } from './page/main-document.ts';
import type { MainPage } from './page/main-page.ts';
import { pageOf } from './page/page-of.ts';
import { type Policies, policiesOf } from './page/policies.ts';
import type { ProbeAnswer } from './probes/ask.ts';
import type { CrossOriginAnswer } from './probes/cors.ts';
import type { Files } from './probes/files.ts';
import type { Methods } from './probes/methods.ts';
import type { PlainHttp } from './probes/plain-http.ts';
import type { Endpoint } from './tls/endpoints.ts';
import type { TlsArtifacts } from './tls/gather-tls.ts';
import type { Https } from './tls/https.ts';
import { type Tls, toTls } from './tls/tls.ts';

/** Raw data collected from a site: plain values that can be saved and judged later. */
export interface Artifacts extends TlsArtifacts, DnsArtifacts, Content {
  mainPage: MainPage;
  plainHttp: PlainHttp | Missing;
  cors: readonly CrossOriginAnswer[] | Missing;
  methods: Methods | Missing;
  notFound: readonly ProbeAnswer[] | Missing;
  directories: readonly ProbeAnswer[] | Missing;
  /** A second copy of the main page; null if it is not needed. */
  secondLook: ProbeAnswer | Missing | null;
  files: Files;
  endpoints: readonly Endpoint[] | Missing | null;
}

/** Input of the checks, derived from the artifacts. */
export interface ScanEvidence extends NamesEvidence, Content {
  mainDocument: MainDocument;
  /** The redirects that led to the main page, followed by the page itself. */
  answers: readonly NavigationResponse[];
  policies: Policies;
  /** Policies of the second copy of the page; null if it is not needed. */
  secondPolicies: Policies | null;
  /** Empty if the main document is not HTML. */
  page: ScannedPage;
  cookies: readonly SeenCookie[];
  plainHttp: PlainHttp;
  cors: readonly CrossOriginAnswer[];
  methods: Methods;
  notFound: readonly ProbeAnswer[];
  directories: readonly ProbeAnswer[];
  files: Files;
  /** Null if the site is not probed for TLS. */
  tls: Tls | null;
  /** Null if the server does not support TLS. */
  https: Https | null;
  /** Same as `https`, but missing if no handshake completed. */
  session: Https | null;
  /** Null for a site without TLS or with a single address. */
  endpoints: readonly Endpoint[] | null;
}

/** Derived from the main page, without which nothing is judged. */
type AlwaysThere = 'mainDocument' | 'answers' | 'policies' | 'page' | 'cookies' | 'files' | keyof Content;

/** Evidence in which parts can be missing. */
export type GatheredEvidence = Pick<ScanEvidence, AlwaysThere> & {
  [Name in Exclude<keyof ScanEvidence, AlwaysThere>]: ScanEvidence[Name] | Missing;
};

/** Evidence of a site that may not have served a page. */
export type PartialEvidence = { [Name in keyof ScanEvidence]?: ScanEvidence[Name] | Missing };

/** Returns the evidence that checks read from the artifacts of a scan. */
export function toEvidence({ mainPage, secondLook, tlsProbes, ...gathered }: Artifacts): GatheredEvidence {
  const mainDocument = toMainDocument(mainPage);
  return {
    ...gathered,
    mainDocument,
    answers: toSteps(mainPage),
    policies: policiesOf(mainDocument),
    secondPolicies: secondLook === null || isMissing(secondLook) ? secondLook : policiesIn(secondLook, mainPage),
    page: pageOf(mainPage),
    cookies: cookiesOf(mainPage),
    ...toTlsEvidence({ tlsProbes, https: gathered.https }),
  };
}

export function toTlsEvidence({ tlsProbes, https }: TlsArtifacts): Pick<GatheredEvidence, 'tls' | 'https' | 'session'> {
  const isUnfinished = https !== null && !isMissing(https) && https.unfinished !== undefined;
  return {
    tls: tlsProbes === null || isMissing(tlsProbes) ? tlsProbes : toTls(tlsProbes),
    https,
    session: isUnfinished ? { missing: `The TLS handshake failed: ${https.unfinished}` } : https,
  };
}

const policiesIn = (answer: ProbeAnswer, mainPage: MainPage) =>
  policiesOf(toMainDocument({ ...mainPage, hops: [answer], body: answer.body }));
