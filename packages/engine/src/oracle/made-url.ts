import { readAnswer } from '../crawl/readers/read-answer.ts';
import type { Exchange } from '../http/exchange/exchange.ts';

/**
 * Returns the URL of the resource that a request created, according to its JSON response; undefined if that names none.
 */
export function madeUrl(exchange: Exchange): string | undefined {
  const asked = exchange.request.url;
  const answer = readAnswer(exchange, asked);
  if (!answer || answer.status >= 300 || !/json/i.test(answer.contentType)) return undefined;
  const named = [answer.next, ...answer.links.map(({ url }) => url), ...answer.made];
  const { origin } = new URL(asked);
  return named.find((url) => url !== undefined && new URL(url).origin === origin && url !== asked);
}
