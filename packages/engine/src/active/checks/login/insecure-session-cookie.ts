import { cookiesOf } from '../../../evidence/page/cookies.ts';
import type { Exchange } from '../../../http/exchange/exchange.ts';
import { headerOf, headerValues } from '../../../http/exchange/headers.ts';
import httpOnly from '../../../passive/checks/cookies/cookie-session-httponly-missing.ts';
import secure from '../../../passive/checks/cookies/cookie-session-insecure.ts';
import { definePagesCheck } from '../../shared/pages-check.ts';

const SHORTEST_ID = 8;

/** Returns whether an account's requests carry a cookie of the same name, which is long enough for a session. */
function isOfSessions({ request: { url }, response }: Exchange, ofAccount: Exchange | undefined): boolean {
  const sent = (headerOf(ofAccount?.request.headers ?? [], 'cookie') ?? '').split(/;\s*/);
  const names = new Set(sent.map((pair) => pair.slice(0, pair.indexOf('='))));
  return headerValues(response?.headers ?? [], 'set-cookie').some((line) => {
    const hops = [{ url, status: 200, headers: [['set-cookie', line] as const] }];
    const [cookie] = cookiesOf({ hops, body: '', isCut: false, gatheredAt: new Date().toISOString() });
    const [, value = ''] = /^[^=;]*=([^;]*)/.exec(line) ?? [];
    const isExposed = cookie?.isSession && (!cookie.isHttpOnly || (!cookie.isSecure && url.startsWith('https:')));
    return isExposed === true && names.has(cookie?.name ?? '') && value.trim().length >= SHORTEST_ID;
  });
}

export default definePagesCheck({
  id: 'insecure-session-cookie',
  title: 'Session cookie without HttpOnly or Secure attribute',
  cwe: 1004,
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:P/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N',
  impact:
    'An attacker who injects a script or eavesdrops on the network reads the session cookie and takes over the session.',
  needsNoAccount: true,
  why: 'The session cookie lacks the HttpOnly or the Secure attribute. Scripts can read it, or the browser sends it in cleartext, so an attacker who injects a script or eavesdrops on the network takes over the session. A new visitor received the cookie without the attribute.',
  fix: 'Set HttpOnly on the session cookie. On sites that use HTTPS, set Secure as well.',
  references: httpOnly.references,
  checks: [httpOnly, secure],
  isForNewVisitors: true,
  // The first pages and those with a login set the session cookie.
  isWorth: () => true,
  isCertain: isOfSessions,
  mostPages: 5,
  mostFound: 1,
  lab() {
    const page = (attributes: string) => () => ({
      headers: { 'content-type': 'text/html', 'set-cookie': `JSESSIONID=7f3a91c20b; Path=/${attributes}` },
      body: '<p>Welcome</p>',
    });
    return {
      item: { method: 'GET', url: '/', parameters: [], seenAs: null, contentType: 'text/html' },
      // The accounts of the lab have no cookie, so the name alone speaks for a session.
      confidence: 'FIRM',
      vulnerable: page(''),
      safe: page('; HttpOnly'),
    };
  },
});
