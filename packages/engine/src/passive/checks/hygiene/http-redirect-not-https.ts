import { isPreloaded } from '../../../evidence/page/hsts.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'http-redirect-not-https',
  group: 'hygiene',
  // Same as http-redirect-missing: visitors are as exposed as without a redirect.
  severity: 'MEDIUM',
  cwe: 319,
  title: 'Redirect chain ends on HTTP',
  why: 'The redirects of the site end on an HTTP URL instead of HTTPS. An attacker on the network path reads and changes everything that visitors send and see, including passwords and session cookies. The evidence shows the redirect chain.',
  fix: 'Make the first redirect lead to the HTTPS URL of the same host and keep every later one on HTTPS. Check the base URL of the application and the rules of the reverse proxy for http://.',
  recipe: { set: 'redirect to https' },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html',
    'https://developer.mozilla.org/en-US/docs/Web/Security/Practical_implementation_guides/TLS',
    'https://cwe.mitre.org/data/definitions/319.html',
  ],
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
    {
      name: 'to www over HTTP',
      given: { plainHttp: [{ status: 301 }, { url: 'http://www.site.example/' }] },
      fails: 1,
    },
    { name: 'to HTTPS', given: {}, fails: 0 },
    { name: 'no redirect', given: { plainHttp: [{}] }, fails: 0 },
    { name: 'port 80 closed', given: { plainHttp: [] }, fails: 0 },
  ],
});
