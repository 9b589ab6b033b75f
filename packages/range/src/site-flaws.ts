import { plant } from './flaw.ts';

const note = 'Missing headers are reported once per site.';

/** Flaws of the whole site, found at its front page. */
export const siteFlaws = [
  plant({
    id: 'no-content-security-policy',
    check: 'NO-CSP',
    checkId: 'csp-missing',
    title: 'The pages of the shop have no Content Security Policy',
    path: '/',
    safePath: '/account/options',
    note,
  }),
  plant({
    id: 'no-nosniff',
    check: 'NO-NOSNIFF',
    checkId: 'nosniff-missing',
    title: 'The pages of the shop allow MIME sniffing',
    path: '/',
    safePath: '/account/options',
    note,
  }),
  plant({
    id: 'session-cookie-without-samesite',
    check: 'COOKIE-SAMESITE',
    checkId: 'cookie-samesite-missing',
    title: 'The session cookie has no SameSite attribute',
    path: '/',
    safePath: '/account/options',
    note: 'Every page sets the cookie; it is reported once.',
  }),
  plant({
    id: 'remember-cookie-of-login',
    check: 'COOKIE-HTTPONLY',
    checkId: 'cookie-session-httponly-missing',
    title: 'Scripts can read the cookie that remembers who has signed in',
    method: 'POST',
    path: '/login',
    safePath: '/api/session',
    // The run logs in at every level.
    depth: 'LEAD',
    note: 'Only the response to the login sets the cookie. It sets one more, which names the way of signing in.',
  }),
  plant({
    id: 'policy-without-scripts',
    check: 'CSP-WEAK',
    checkId: 'csp-script-src-missing',
    title: 'A page has a Content Security Policy that allows all scripts',
    path: '/notices',
    safePath: '/account/options',
    // The crawl of LEAD is full before it opens this page.
    depth: 'STANDARD',
  }),
];
