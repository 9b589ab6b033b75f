import { definePassiveCheck } from '../../check.ts';
import { isPreloaded } from '../../evidence/hsts.ts';

export default definePassiveCheck({
  id: 'http-redirect-not-https',
  group: 'hygiene',
  // As http-redirect-missing: visitors are as exposed as if the first answer were the page.
  severity: 'MEDIUM',
  cwe: 319,
  title: 'The redirects of the site end on plain http',
  why: 'Visitors are sent on, but never to https: anybody on the way can read along and change what they see.',
  fix: 'Let the first redirect lead to the https URL of the same host, and every later one stay there.',
  recipe: { set: 'redirect to https' },
  references: ['https://developer.mozilla.org/en-US/docs/Web/Security/Practical_implementation_guides/TLS'],
  needs: ['plainHttp'],
  suppressedBy: ['https-missing', 'https-downgrade'],

  *run({ plainHttp: { hops } }) {
    const last = hops.at(-1);
    if (!last || hops.length < 2) return;
    const { protocol, hostname } = new URL(last.url);
    if (protocol === 'http:' && !isPreloaded(hostname)) {
      yield { url: last.url, evidence: hops.map(({ url, status }) => `${status} ${url}`).join('\n') };
    }
  },

  examples: [
    { name: 'to www by http', given: { plainHttp: [{ status: 301 }, { url: 'http://www.site.example/' }] }, fails: 1 },
    { name: 'to https', given: {}, fails: 0 },
    { name: 'no redirect', given: { plainHttp: [{}] }, fails: 0 },
    { name: 'nobody on port 80', given: { plainHttp: [] }, fails: 0 },
  ],
});
