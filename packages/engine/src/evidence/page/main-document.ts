import { type MetaTag, metaTagsOf } from '../../html/meta-tags.ts';
import { headerValues } from '../../http/exchange/headers.ts';
import type { Hop, MainPage } from './main-page.ts';
import { isHtmlType } from './page-of.ts';

/** One answer on the way to the main page, or the page itself. */
export interface Step {
  url: URL;
  status: number;
  /** What a redirect sent besides its headers; empty for the page itself. */
  redirectBody: string;
  /** All values under a name in lower case, in the order sent. */
  headers(name: string): readonly string[];
  /** What was sent under these names, for a finding's evidence; it says so when there was nothing. */
  headerLines(...names: string[]): string;
}

/** The page itself, as checks like to ask about it. */
export interface MainDocument extends Omit<Step, 'redirectBody'> {
  isHtml: boolean;
  body: string;
  /** Those in its head; none when it is not HTML. */
  metaTags: readonly MetaTag[];
}

/** No honest head is longer, and a hostile page must not take long to parse. */
const MAX_HEAD_CHARACTERS = 100_000;

export const toSteps = ({ hops }: MainPage): Step[] => hops.map(toStep);

export function toMainDocument({ hops, body }: MainPage): MainDocument {
  const last = hops.at(-1);
  if (!last) throw new Error('A main page has at least one hop.');
  const { redirectBody: _, ...step } = toStep(last);
  const isHtml = isHtmlType(step.headers('content-type')[0] ?? '');
  return { ...step, isHtml, body, metaTags: isHtml ? metaTagsOf(body.slice(0, MAX_HEAD_CHARACTERS)) : [] };
}

function toStep({ url, status, headers, redirectBody = '' }: Hop): Step {
  const values = (name: string) => headerValues(headers, name);
  return {
    url: new URL(url),
    status,
    redirectBody,
    headers: values,
    headerLines: (...names) => names.flatMap((name) => linesOf(name, values(name))).join('\n'),
  };
}

const linesOf = (name: string, values: readonly string[]) =>
  values.length > 0 ? values.map((value) => `${name}: ${value}`) : [`${name}: (not sent)`];
