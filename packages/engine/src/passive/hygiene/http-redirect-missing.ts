import { definePassiveCheck } from '../../check.ts';
import { isPreloaded } from '../../evidence/hsts.ts';
import { headerOf } from '../../http/headers.ts';

export default definePassiveCheck({
  id: 'http-redirect-missing',
  group: 'hygiene',
  severity: 'MEDIUM',
  cwe: 319,
  title: 'The site can be used by plain http',
  why: 'Whoever comes by http stays there, and anybody on the way can read along and change what they see.',
  fix: 'Answer every request on port 80 with a permanent redirect to the same URL with https.',
  recipe: { set: 'redirect to https' },
  references: ['https://developer.mozilla.org/en-US/docs/Web/Security/Practical_implementation_guides/TLS'],
  needs: ['plainHttp'],
  suppressedBy: ['https-missing', 'https-downgrade'],

  *run({ plainHttp: { hops } }) {
    const [first, second] = hops;
    if (!first || second || first.status < 200 || first.status > 299) return;
    if (isPreloaded(new URL(first.url).hostname)) return;
    if (!/html/i.test(headerOf(first.headers, 'content-type') ?? '')) return;
    yield { url: first.url, evidence: `GET ${first.url} answered ${first.status} with a page` };
  },

  examples: [
    {
      name: 'a page on port 80',
      given: { plainHttp: [{ headers: { 'content-type': 'text/html; charset=utf-8' } }] },
      fails: 1,
    },
    { name: 'a redirect', given: {}, fails: 0 },
    { name: 'nobody on port 80', given: { plainHttp: [] }, fails: 0 },
    {
      name: 'a name that browsers know as https only',
      given: { plainHttp: [{ url: 'http://site.dev/', headers: { 'content-type': 'text/html' } }] },
      fails: 0,
    },
    { name: 'a text for machines', given: { plainHttp: [{ headers: { 'content-type': 'text/plain' } }] }, fails: 0 },
    {
      name: 'a page that says no',
      given: { plainHttp: [{ status: 403, headers: { 'content-type': 'text/html' } }] },
      fails: 0,
    },
  ],
});
