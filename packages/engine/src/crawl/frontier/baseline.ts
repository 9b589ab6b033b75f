import type { Exchange } from '../../http/exchange/exchange.ts';
import { headerOf } from '../../http/exchange/headers.ts';

/** How the target responds to URLs that do not exist. */
export interface Baseline {
  /** Returns whether a response is the one that unknown URLs get. */
  isNothing(exchange: Exchange): boolean;
  /** The response to an unknown name at the top level, and the name. */
  missing?: { exchange: Exchange; name: string };
}

/** A response, reduced to what tells it from others. */
export interface Sample {
  status: number;
  location: string;
  text: string;
  /** Without parts of the requested URL, which many pages echo. */
  words: Set<string>;
}

const LIKE = 0.95;

/** Requests two paths that do not exist: one at the top level, and one below it with an extension. */
export async function learnBaseline(
  visit: (url: string) => Promise<Exchange>,
  targetUrl: string,
  word: string,
): Promise<Baseline> {
  const samples: Sample[] = [];
  const exchanges: Exchange[] = [];
  for (const path of [`/${word}`, `/${word}/${word}.html`]) {
    const exchange = await visit(new URL(path, targetUrl).href);
    const { request, response } = exchange;
    exchanges.push(exchange);
    // A server that reports missing pages with an error status needs no baseline.
    if (response && response.status < 400) samples.push(sampleOf(request.url, response));
  }
  const [exchange] = exchanges;
  return {
    ...(exchange && { missing: { exchange, name: word } }),
    isNothing({ request, response }) {
      if (!response) return false;
      const sample = sampleOf(request.url, response);
      return samples.some((each) => isLike(each, sample));
    },
  };
}

/** Reduces a response to what does not depend on the requested URL. */
export function sampleOf(url: string, { status, headers, body }: NonNullable<Exchange['response']>): Sample {
  const { pathname, search, origin } = new URL(url);
  const text = body.subarray(0, MOST_BYTES).toString();
  const asked = [origin, pathname, search, ...pathname.split('/')].filter((part) => part.length > 1);
  const longestFirst = asked.toSorted((a, b) => b.length - a.length);
  const rest = longestFirst.reduce((left, part) => left.replaceAll(part, ' '), text);
  const location = withoutAsked(headerOf(headers, 'location') ?? '', pathname);
  return { status, location, text, words: new Set(rest.match(/[\p{L}\p{N}]+/gu)) };
}

const MOST_BYTES = 200_000;
const withoutAsked = (location: string, pathname: string) =>
  location.replaceAll(encodeURIComponent(pathname), '').replaceAll(pathname, '');

/** Returns whether two responses are the same page, apart from texts that change by themselves. */
export function isLike(one: Sample, other: Sample): boolean {
  if (one.status !== other.status || one.location !== other.location) return false;
  if (one.text === other.text) return true;
  const common = [...one.words].filter((word) => other.words.has(word)).length;
  return common >= LIKE * Math.max(one.words.size, other.words.size);
}
