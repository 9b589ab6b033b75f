import type { Exchange } from '../http/exchange/exchange.ts';
import { headerOf } from '../http/exchange/headers.ts';

const REFRESH =
  /<meta[^<>]{1,200}http-equiv\s{0,5}=\s{0,5}["']?refresh[^<>]{1,200}url\s{0,5}=\s{0,5}["']?([^"'<>\s]{1,2000})/i;
const HEAD_BYTES = 65_536;

/** Returns where a response redirects to, as sent; empty if it does not. */
export function redirectOf({ response }: Exchange): string {
  if (!response) return '';
  const location =
    response.status >= 300 && response.status < 400 ? (headerOf(response.headers, 'location') ?? '') : '';
  const refresh = headerOf(response.headers, 'refresh')?.split(/url=/i)[1] ?? '';
  return location || refresh || (REFRESH.exec(response.body.subarray(0, HEAD_BYTES).toString())?.[1] ?? '');
}
