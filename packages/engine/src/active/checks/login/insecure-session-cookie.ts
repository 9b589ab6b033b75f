import httpOnly from '../../../passive/checks/cookies/cookie-session-httponly-missing.ts';
import secure from '../../../passive/checks/cookies/cookie-session-insecure.ts';
import { definePagesCheck } from '../../shared/pages-check.ts';

export default definePagesCheck({
  id: 'insecure-session-cookie',
  title: 'Session cookie without protective attributes',
  cwe: 1004,
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N',
  needsNoAccount: true,
  why: 'The session cookie lacks the HttpOnly or the Secure attribute. Scripts can read it, or the browser sends it in clear, so an attacker who injects a script or listens on the network takes over the session. A new visitor received the cookie without the attribute.',
  fix: 'Set HttpOnly on the session cookie. On sites that use HTTPS, set Secure as well.',
  references: httpOnly.references,
  checks: [httpOnly, secure],
  isForNewVisitors: true,
  // The first pages and those with a login set the session cookie.
  isWorth: () => true,
  mostPages: 5,
  mostFound: 1,
  lab() {
    const page = (attributes: string) => () => ({
      headers: { 'content-type': 'text/html', 'set-cookie': `JSESSIONID=7f3a; Path=/${attributes}` },
      body: '<p>Welcome</p>',
    });
    return {
      item: { method: 'GET', url: '/', parameters: [], seenAs: null, contentType: 'text/html' },
      vulnerable: page(''),
      safe: page('; HttpOnly'),
    };
  },
});
