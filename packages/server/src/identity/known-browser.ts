import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { randomBase62 } from '../platform/new-id.ts';

const NAME = 'sortie.known_browser';
const YEAR_S = 31_536_000;

export interface KnownBrowser {
  /** Returns the id of the browser if a sign-in with this e-mail address has succeeded in it; undefined otherwise. */
  find(cookies: string | undefined, email: string): string | undefined;
  /** Returns the cookie by which the browser is recognized later. */
  cookieFor(email: string): string;
}

/**
 * Recognizes browsers in which a sign-in with an e-mail address has succeeded. Their attempts are counted separately,
 * so that an attacker cannot lock a person out by failing on purpose (OWASP: device cookies).
 */
export function createKnownBrowser(key: KeyObject, isHttps: boolean): KnownBrowser {
  const macOf = (id: string, email: string) =>
    createHmac('sha256', key).update(`${id}:${email.trim().toLowerCase()}`).digest();
  const name = isHttps ? `__Host-${NAME}` : NAME;
  return {
    find(cookies = '', email) {
      const value = cookies.split(/;\s*/).find((cookie) => cookie.startsWith(`${name}=`));
      const [id = '', mac = ''] = value?.slice(name.length + 1).split('.') ?? [];
      const given = Buffer.from(mac, 'base64url');
      const right = macOf(id, email);
      return given.length === right.length && timingSafeEqual(given, right) ? id : undefined;
    },
    cookieFor(email) {
      const id = randomBase62(20);
      const value = `${id}.${macOf(id, email).toString('base64url')}`;
      const flags = `Max-Age=${YEAR_S}; Path=/; HttpOnly; SameSite=Lax`;
      return `${name}=${value}; ${flags}${isHttps ? '; Secure' : ''}`;
    },
  };
}
