import type { Answer } from './ask.ts';
import { cookiesOf, type SeenCookie } from './cookies.ts';
import type { CrossOriginAnswer } from './cors.ts';
import type { Files } from './files.ts';
import { type MainDocument, toMainDocument } from './main-document.ts';
import type { Hop, MainPage } from './main-page.ts';
import type { Methods } from './methods.ts';
import type { Missing } from './missing.ts';
import type { PlainHttp } from './plain-http.ts';
import { type Policy, policiesOf } from './policies.ts';

/** What was gathered of a site: plain values that could be kept and judged again. */
export interface Artifacts {
  mainPage: MainPage;
  plainHttp: PlainHttp | Missing;
  cors: readonly CrossOriginAnswer[] | Missing;
  methods: Methods | Missing;
  notFound: readonly Answer[] | Missing;
  directories: readonly Answer[] | Missing;
  files: Files;
}

/** What checks can ask for, all of it made of the artifacts. */
export interface Evidence {
  mainDocument: MainDocument;
  policies: readonly Policy[];
  cookies: readonly SeenCookie[];
  /** The redirects that led to the main document, and its own answer. */
  route: readonly Hop[];
  plainHttp: PlainHttp;
  cors: readonly CrossOriginAnswer[];
  methods: Methods;
  notFound: readonly Answer[];
  directories: readonly Answer[];
  files: Files;
}

/** With what is missing in its place. The main document is always there: without it there is nothing to judge. */
export type GatheredEvidence = { [Name in keyof Evidence]: Evidence[Name] | Missing } & Pick<
  Evidence,
  'mainDocument' | 'files'
>;

export function toEvidence({ mainPage, ...gathered }: Artifacts): GatheredEvidence {
  const mainDocument = toMainDocument(mainPage);
  return {
    ...gathered,
    mainDocument,
    policies: policiesOf(mainDocument),
    cookies: cookiesOf(mainPage),
    route: mainPage.hops,
  };
}
