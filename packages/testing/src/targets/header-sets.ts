import type { Given } from '../../../engine/src/passive/define-passive-check.ts';

export interface HeaderSet extends Pick<Given, 'body' | 'headers' | 'plainHttp'> {
  name: string;
  /** The score of MDN HTTP Observatory (algorithm 6), without extra credit above 100. */
  mdn: number;
}

const HSTS = 'max-age=63072000; includeSubDomains';
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const REST = {
  'strict-transport-security': HSTS,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
};
const BEST = { ...REST, 'content-security-policy': POLICY };

const csp = (policy: string) => ({ ...REST, 'content-security-policy': policy });
const without = (left: string) => Object.fromEntries(Object.entries(BEST).filter(([name]) => name !== left));
const framed = (more: Record<string, string>) => {
  const { 'x-frame-options': _, ...rest } = REST;
  const policy = "default-src 'self'; base-uri 'none'; form-action 'self'; object-src 'none'";
  return { ...rest, 'content-security-policy': policy, ...more };
};
const HTML = { 'content-type': 'text/html' };

/** Sites with https and a redirect from http, unless a set says otherwise. */
export const headerSets: readonly HeaderSet[] = [
  { name: 'no security headers', mdn: 30, headers: {} },
  { name: 'all recommended headers', mdn: 100, headers: BEST },
  {
    name: "Google's strict CSP",
    mdn: 100,
    headers: csp(
      "script-src 'nonce-4AEemGb0xJptoIGFP3Nd9w==' 'strict-dynamic' 'unsafe-inline' https: http:; object-src 'none'; base-uri 'none'; report-uri /csp",
    ),
  },
  { name: 'no CSP', mdn: 75, headers: REST },
  { name: 'CSP report-only', mdn: 75, headers: { ...REST, 'content-security-policy-report-only': POLICY } },
  { name: "CSP default-src 'self'", mdn: 100, headers: csp("default-src 'self'") },
  {
    name: "CSP with 'unsafe-inline'",
    mdn: 80,
    headers: csp("default-src 'self'; script-src 'self' 'unsafe-inline'; object-src 'none'"),
  },
  {
    name: "CSP with 'unsafe-inline' for styles",
    mdn: 100,
    headers: csp("default-src 'self'; style-src 'self' 'unsafe-inline'"),
  },
  { name: "CSP with 'unsafe-eval'", mdn: 100, headers: csp("default-src 'self'; script-src 'self' 'unsafe-eval'") },
  {
    name: 'CSP with wildcard sources',
    mdn: 80,
    headers: csp("default-src * 'unsafe-inline' 'unsafe-eval' data: blob:"),
  },
  {
    name: 'CSP with https: scripts',
    mdn: 80,
    headers: csp("default-src 'self'; script-src https:; object-src 'none'"),
  },
  { name: 'CSP without object-src', mdn: 80, headers: csp("script-src 'self'") },
  {
    name: 'CSP with http: scripts',
    mdn: 80,
    headers: csp("default-src 'self'; script-src 'self' http://a.example"),
  },
  { name: 'CSP with http: images', mdn: 100, headers: csp("default-src 'self'; img-src http://a.example") },
  { name: 'CSP with frame-ancestors only', mdn: 80, headers: csp("frame-ancestors 'none'") },
  { name: 'CSP with upgrade-insecure-requests only', mdn: 80, headers: csp('upgrade-insecure-requests') },
  { name: 'HSTS missing', mdn: 80, headers: without('strict-transport-security') },
  { name: 'HSTS max-age of one day', mdn: 100, headers: { ...BEST, 'strict-transport-security': 'max-age=86400' } },
  { name: 'HSTS invalid', mdn: 80, headers: { ...BEST, 'strict-transport-security': 'includeSubDomains' } },
  { name: 'no clickjacking protection', mdn: 80, headers: framed({}) },
  { name: 'X-Frame-Options without frame-ancestors', mdn: 100, headers: framed({ 'x-frame-options': 'SAMEORIGIN' }) },
  {
    name: 'X-Frame-Options ALLOW-FROM',
    mdn: 100,
    headers: framed({ 'x-frame-options': 'ALLOW-FROM https://a.example' }),
  },
  { name: 'nosniff missing', mdn: 100, headers: without('x-content-type-options') },
  { name: 'Referrer-Policy missing', mdn: 100, headers: without('referrer-policy') },
  { name: 'Referrer-Policy unsafe-url', mdn: 100, headers: { ...BEST, 'referrer-policy': 'unsafe-url' } },
  {
    name: 'COOP and CORP',
    mdn: 100,
    headers: { ...BEST, 'cross-origin-opener-policy': 'same-origin', 'cross-origin-resource-policy': 'same-origin' },
  },
  { name: 'HSTS only', mdn: 50, headers: { 'strict-transport-security': HSTS } },
  { name: 'CSP only', mdn: 75, headers: { 'content-security-policy': POLICY } },
  {
    name: 'X-Frame-Options and nosniff only',
    mdn: 55,
    headers: { 'x-frame-options': 'DENY', 'x-content-type-options': 'nosniff' },
  },
  {
    name: 'session cookie with all attributes',
    mdn: 100,
    headers: { ...BEST, 'set-cookie': 'session=1; Path=/; Secure; HttpOnly; SameSite=Lax' },
  },
  {
    name: 'session cookie without Secure',
    mdn: 100,
    headers: { ...BEST, 'set-cookie': 'session=1; Path=/; HttpOnly; SameSite=Lax' },
  },
  {
    name: 'session cookie without HttpOnly',
    mdn: 70,
    headers: { ...BEST, 'set-cookie': 'session=1; Path=/; Secure; SameSite=Lax' },
  },
  {
    name: 'session cookie without Secure, no security headers',
    mdn: 0,
    headers: { 'set-cookie': 'session=1; Path=/; HttpOnly; SameSite=Lax' },
  },
  { name: 'page served over HTTP', mdn: 80, headers: BEST, plainHttp: [{ headers: HTML }] },
  {
    name: 'HTTP redirects to HTTP',
    mdn: 80,
    headers: BEST,
    plainHttp: [{ status: 301 }, { url: 'http://www.site.example/', headers: HTML }],
  },
  {
    name: 'cross-origin script without SRI',
    mdn: 100,
    headers: csp("default-src 'self' https://cdn.example"),
    body: '<script src="https://cdn.example/a.js"></script>',
  },
  {
    name: 'active mixed content (script)',
    mdn: 50,
    headers: csp("default-src 'self' https://cdn.example; script-src 'self' https://cdn.example"),
    body: '<script src="http://cdn.example/a.js"></script>',
  },
];
