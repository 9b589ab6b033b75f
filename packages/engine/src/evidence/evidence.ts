import type { Content } from './content.ts';
import type { DnsArtifacts, NamesEvidence } from './dns/gather-dns.ts';
import { isMissing, type Missing } from './missing.ts';
import { cookiesOf, type SeenCookie } from './page/cookies.ts';
import { type MainDocument, type Step, toMainDocument, toSteps } from './page/main-document.ts';
import type { MainPage } from './page/main-page.ts';
import { pageOf } from './page/page-of.ts';
import { type Policies, policiesOf } from './page/policies.ts';
import type { ScannedPage } from './page/read-page.ts';
import type { ProbeAnswer } from './probes/ask.ts';
import type { CrossOriginAnswer } from './probes/cors.ts';
import type { Files } from './probes/files.ts';
import type { Methods } from './probes/methods.ts';
import type { PlainHttp } from './probes/plain-http.ts';
import type { Endpoint } from './tls/endpoints.ts';
import type { TlsArtifacts } from './tls/gather-tls.ts';
import type { Https } from './tls/https.ts';
import { type Tls, toTls } from './tls/tls.ts';

/** What was gathered of a site: plain values that could be kept and judged again. */
export interface Artifacts extends TlsArtifacts, DnsArtifacts, Content {
  mainPage: MainPage;
  plainHttp: PlainHttp | Missing;
  cors: readonly CrossOriginAnswer[] | Missing;
  methods: Methods | Missing;
  notFound: readonly ProbeAnswer[] | Missing;
  directories: readonly ProbeAnswer[] | Missing;
  /** The main page once more; null where nothing would be learnt from it. */
  secondLook: ProbeAnswer | Missing | null;
  files: Files;
  endpoints: readonly Endpoint[] | Missing | null;
}

/** What checks can ask for, all of it made of the artifacts. */
export interface Evidence extends NamesEvidence, Content {
  mainDocument: MainDocument;
  /** The redirects that led to the main page, and at the end the page itself. */
  answers: readonly Step[];
  policies: Policies;
  /** When the page was asked for again; null where nothing would be learnt from it. */
  secondPolicies: Policies | null;
  /** Empty where the main document is no page. */
  page: ScannedPage;
  cookies: readonly SeenCookie[];
  plainHttp: PlainHttp;
  cors: readonly CrossOriginAnswer[];
  methods: Methods;
  notFound: readonly ProbeAnswer[];
  directories: readonly ProbeAnswer[];
  files: Files;
  /** Null for a site that is not looked at for TLS. */
  tls: Tls | null;
  /** Null where nobody speaks TLS. */
  https: Https | null;
  /** The same, missing where no handshake was completed. */
  session: Https | null;
  /** Null for a site without TLS, or with one address. */
  endpoints: readonly Endpoint[] | null;
}

/** Without the main page there is nothing to judge, so what is made of it is always there. */
type AlwaysThere = 'mainDocument' | 'answers' | 'policies' | 'page' | 'cookies' | 'files' | keyof Content;

/** With what is missing in its place. */
export type GatheredEvidence = Pick<Evidence, AlwaysThere> & {
  [Name in Exclude<keyof Evidence, AlwaysThere>]: Evidence[Name] | Missing;
};

/** What there is of a site that may have shown no page. */
export type PartialEvidence = { [Name in keyof Evidence]?: Evidence[Name] | Missing };

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
