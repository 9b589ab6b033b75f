import { cookiesOf, type SeenCookie } from './cookies.ts';
import { type Answer, type MainDocument, toAnswers, toMainDocument } from './main-document.ts';
import type { MainPage } from './main-page.ts';
import { type Policies, policiesOf } from './policies.ts';

/** What was gathered of a site: plain values that could be kept and judged again. */
export interface Artifacts {
  mainPage: MainPage;
}

/** What checks can ask for, all of it made of the artifacts. */
export interface Evidence {
  mainDocument: MainDocument;
  /** The redirects that led to the main page, and at the end the page itself. */
  answers: readonly Answer[];
  policies: Policies;
  cookies: readonly SeenCookie[];
}

export function toEvidence({ mainPage }: Artifacts): Evidence {
  const mainDocument = toMainDocument(mainPage);
  return {
    mainDocument,
    answers: toAnswers(mainPage),
    policies: policiesOf(mainDocument),
    cookies: cookiesOf(mainPage),
  };
}
