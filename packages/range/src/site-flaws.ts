import { plant } from './flaw.ts';

/** Flaws of the whole site, found at its front page. */
export const siteFlaws = [
  plant({
    id: 'no-content-security-policy',
    check: 'HEADERS',
    title: 'The pages of the shop have no Content Security Policy and may be sniffed',
    path: '/',
    safePath: '/account/options',
    note: 'Missing headers are told once per site.',
  }),
];
