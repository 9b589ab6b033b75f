import { type MetaTag, metaTagsOf } from '../../html/meta-tags.ts';
import { headerValues } from '../../http/exchange/headers.ts';
import type { Hop, MainPage } from './main-page.ts';
import { isHtmlType } from './page-of.ts';

/** A redirect on the way to the main page, or the page itself. */
export interface NavigationResponse {
  url: URL;
  status: number;
  /** Body of a redirect; empty for the page itself. */
  redirectBody: string;
  /** Returns all values of a header, given in lower case, in the order sent. */
  headers(name: string): readonly string[];
  /** Formats these headers for a finding's evidence, including those that were not sent. */
  headerLines(...names: string[]): string;
}

/** The main page with accessors for checks. */
export interface MainDocument extends Omit<NavigationResponse, 'redirectBody'> {
  isHtml: boolean;
  body: string;
  /** Meta tags of the head; none if it is not HTML. */
  metaTags: readonly MetaTag[];
}

/** Longer than any real head; limits how long a hostile page takes to parse. */
const MAX_HEAD_CHARACTERS = 100_000;

export const toSteps = ({ hops }: MainPage): NavigationResponse[] => hops.map(toStep);

/** Returns the last response of the main page with its headers and policies. Throws if there was no response. */
export function toMainDocument({ hops, body }: MainPage): MainDocument {
  const last = hops.at(-1);
  if (!last) throw new Error('A main page has at least one hop.');
  const { redirectBody: _, ...step } = toStep(last);
  const isHtml = isHtmlType(step.headers('content-type')[0] ?? '');
  return { ...step, isHtml, body, metaTags: isHtml ? metaTagsOf(body.slice(0, MAX_HEAD_CHARACTERS)) : [] };
}

function toStep({ url, status, headers, redirectBody = '' }: Hop): NavigationResponse {
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
