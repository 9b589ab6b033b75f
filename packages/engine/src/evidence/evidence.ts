import { cookiesOf, type SeenCookie } from './cookies.ts';
import { type MainDocument, toMainDocument } from './main-document.ts';
import type { MainPage } from './main-page.ts';
import { orThrow } from './not-gathered.ts';
import { type Policy, policiesOf } from './policies.ts';
import type { TlsArtifacts } from './tls/gather-tls.ts';
import type { Https } from './tls/https.ts';
import { type Tls, toTls } from './tls/tls.ts';

/** What was gathered of a site: plain values that could be kept and judged again. */
export interface Artifacts extends TlsArtifacts {
  mainPage: MainPage;
}

/** What checks can ask for, all of it made of the artifacts. */
export interface Evidence {
  mainDocument: MainDocument;
  policies: readonly Policy[];
  cookies: readonly SeenCookie[];
  /** Null for a site that is not looked at for TLS. */
  tls: Tls | null;
  /** Null where nobody speaks TLS. */
  https: Https | null;
}

/** What could not be gathered throws when it is asked for: a check that needs it is not run, all others are. */
export function toEvidence({ mainPage, tlsProbes, https }: Artifacts): Evidence {
  const mainDocument = toMainDocument(mainPage);
  return {
    mainDocument,
    policies: policiesOf(mainDocument),
    cookies: cookiesOf(mainPage),
    get tls() {
      const probes = orThrow(tlsProbes);
      return probes && toTls(probes);
    },
    get https() {
      return orThrow(https);
    },
  };
}
