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
];
