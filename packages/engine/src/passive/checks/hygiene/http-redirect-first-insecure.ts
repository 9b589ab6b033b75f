import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'http-redirect-first-insecure',
  group: 'hygiene',
  severity: 'LOW',
  cwe: 319,
  title: 'First redirect goes from HTTP to HTTP',
  why: 'The first redirect of the site leads to another HTTP URL before HTTPS is reached. An attacker on the network path can answer each unencrypted step and keep the visitor on HTTP (SSL stripping). The evidence shows the two responses.',
  fix: 'Redirect to HTTPS on the same host first, and from there to the final host. Send Strict-Transport-Security on both hosts.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Strict_Transport_Security_Cheat_Sheet.html',
    'https://hstspreload.org/',
    'https://cwe.mitre.org/data/definitions/319.html',
  ],
  needs: ['plainHttp'],
  suppressedBy: ['https-missing', 'http-redirect-not-https', 'https-downgrade'],

  *run({ plainHttp: { hops } }) {
    const [first, second] = hops;
    if (first && second && new URL(second.url).protocol === 'http:') {
      yield { url: first.url, evidence: `${first.status} ${first.url}\n${second.status} ${second.url}` };
    }
  },

  examples: [
    {
      name: 'to www over HTTP, then to HTTPS',
      given: {
        plainHttp: [
          { status: 301 },
          { status: 301, url: 'http://www.site.example/' },
          { url: 'https://www.site.example/' },
        ],
      },
      fails: 1,
    },
    { name: 'to HTTPS', given: {}, fails: 0 },
    { name: 'port 80 closed', given: { plainHttp: [] }, fails: 0 },
  ],
});
