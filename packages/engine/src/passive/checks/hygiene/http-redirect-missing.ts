import { isPreloaded } from '../../../evidence/page/hsts.ts';
import { headerOf } from '../../../http/exchange/headers.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'http-redirect-missing',
  group: 'hygiene',
  severity: 'MEDIUM',
  cwe: 319,
  title: 'No redirect from HTTP to HTTPS',
  why: 'The site serves its pages over plain HTTP without redirecting to HTTPS. An attacker on the network path reads and changes everything that a visitor of the HTTP URL sends and sees, including passwords and session cookies. The evidence shows the HTTP response.',
  fix: 'Answer every request on port 80 with a 301 or 308 redirect to the same URL with https://. Then send Strict-Transport-Security (HSTS), so that browsers skip the HTTP request.',
  recipe: { set: 'redirect to https' },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html',
    'https://developer.mozilla.org/en-US/docs/Web/Security/Practical_implementation_guides/TLS',
    'https://cwe.mitre.org/data/definitions/319.html',
  ],
  needs: ['plainHttp'],
  suppressedBy: ['https-missing', 'https-downgrade'],

  *run({ plainHttp: { hops } }) {
    const [first, second] = hops;
    if (!first || second || first.status < 200 || first.status > 299) return;
    if (isPreloaded(new URL(first.url).hostname)) return;
    if (!/html/i.test(headerOf(first.headers, 'content-type') ?? '')) return;
    yield { url: first.url, evidence: `GET ${first.url} returned ${first.status} with an HTML page` };
  },

  examples: [
    {
      name: 'HTML page on port 80',
      given: { plainHttp: [{ headers: { 'content-type': 'text/html; charset=utf-8' } }] },
      fails: 1,
    },
    { name: 'redirect', given: {}, fails: 0 },
    { name: 'port 80 closed', given: { plainHttp: [] }, fails: 0 },
    {
      name: 'preloaded TLD',
      given: { plainHttp: [{ url: 'http://site.dev/', headers: { 'content-type': 'text/html' } }] },
      fails: 0,
    },
    { name: 'plain text', given: { plainHttp: [{ headers: { 'content-type': 'text/plain' } }] }, fails: 0 },
    {
      name: '403 page',
      given: { plainHttp: [{ status: 403, headers: { 'content-type': 'text/html' } }] },
      fails: 0,
    },
  ],
});
