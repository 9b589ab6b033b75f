import type { Exchange } from '../http/exchange/exchange.ts';
import { headerOf } from '../http/exchange/headers.ts';

const HTML = /html|svg|xml/i;

/** Returns the body if a browser renders it as a page; empty for anything else, e.g. JSON and downloads. */
export function shownPage({ response }: Pick<Exchange, 'response'>): string {
  if (!response) return '';
  const header = (name: string) => headerOf(response.headers, name) ?? '';
  const isSniffed = header('content-type') === '' && !/nosniff/i.test(header('x-content-type-options'));
  const isShown = HTML.test(header('content-type')) || isSniffed;
  return isShown && !/^\s*attachment/i.test(header('content-disposition')) ? response.body.toString() : '';
}
