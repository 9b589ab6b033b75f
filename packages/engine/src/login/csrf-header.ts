import type { Cookie } from 'tough-cookie';
import type { Headers } from '../http/exchange/exchange.ts';

const CSRF_COOKIE = /csrf|xsrf/i;

/** Returns the header in which scripts repeat a CSRF cookie (double submit), as the common frameworks name it. */
export function csrfHeadersIn(cookies: readonly Cookie[]): Headers {
  const cookie = cookies.find(({ key }) => CSRF_COOKIE.test(key));
  return cookie ? [[headerFor(cookie.key), decoded(cookie.value)]] : [];
}

function headerFor(cookie: string): string {
  if (/xsrf/i.test(cookie)) return 'X-XSRF-TOKEN';
  return cookie.toLowerCase() === 'csrftoken' ? 'X-CSRFToken' : 'X-CSRF-Token';
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
