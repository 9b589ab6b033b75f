import { headerValues } from './header-values.ts';
import type { MainPage } from './main-page.ts';

/** The page itself, as checks like to ask about it. */
export interface MainDocument {
  url: URL;
  status: number;
  isHtml: boolean;
  body: string;
  /** All values under a name in lower case, in the order sent. */
  headers(name: string): readonly string[];
  /** What was sent under these names, for a finding's evidence; it says so when there was nothing. */
  headerLines(...names: string[]): string;
}

export function toMainDocument({ hops, body }: MainPage): MainDocument {
  const last = hops.at(-1);
  if (!last) throw new Error('A main page has at least one hop.');
  const values = (name: string) => headerValues(last.headers, name);
  return {
    url: new URL(last.url),
    status: last.status,
    isHtml: /^\s*(text\/html|application\/xhtml\+xml)\s*(;|$)/i.test(values('content-type')[0] ?? ''),
    body,
    headers: values,
    headerLines: (...names) => names.flatMap((name) => linesOf(name, values(name))).join('\n'),
  };
}

const linesOf = (name: string, values: readonly string[]) =>
  values.length > 0 ? values.map((value) => `${name}: ${value}`) : [`${name}: (not sent)`];
