import { cookiesOf, type SeenCookie } from './cookies.ts';
import { type MainDocument, toMainDocument } from './main-document.ts';
import type { MainPage } from './main-page.ts';
import { type Policy, policiesOf } from './policies.ts';

/** What was gathered of a site: plain values that could be kept and judged again. */
export interface Artifacts {
  mainPage: MainPage;
}

/** What checks can ask for, all of it made of the artifacts. */
export interface Evidence {
  mainDocument: MainDocument;
  policies: readonly Policy[];
  cookies: readonly SeenCookie[];
}

export function toEvidence({ mainPage }: Artifacts): Evidence {
  const mainDocument = toMainDocument(mainPage);
  return { mainDocument, policies: policiesOf(mainDocument), cookies: cookiesOf(mainPage) };
}
