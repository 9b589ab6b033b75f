import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'http-redirect-off-host',
  group: 'hygiene',
  severity: 'LOW',
  cwe: 319,
  title: 'HTTP redirects to another host before HTTPS (HSTS cannot be set)',
  why: 'The HTTP site redirects to HTTPS on a different host. The hostname that visitors type never answers over HTTPS and so never sets HSTS: every visit to it starts unencrypted, and an attacker on the network path can intercept it. The evidence shows the two responses.',
  fix: 'Redirect to HTTPS on the same host first, send Strict-Transport-Security there, and redirect to the other host from there. The certificate has to cover both hostnames.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Strict_Transport_Security_Cheat_Sheet.html',
    'https://www.rfc-editor.org/rfc/rfc6797#section-7.2',
    'https://hstspreload.org/',
    'https://cwe.mitre.org/data/definitions/319.html',
  ],
  needs: ['plainHttp'],
  suppressedBy: ['https-missing'],

  *run({ plainHttp: { hops } }) {
    const [first, second] = hops;
    if (!first || !second) return;
    const next = new URL(second.url);
    if (next.protocol === 'https:' && next.hostname !== new URL(first.url).hostname) {
      yield { url: first.url, evidence: `${first.status} ${first.url}\n${second.status} ${second.url}` };
    }
  },

  examples: [
    {
      name: 'directly to www',
      given: { plainHttp: [{ status: 301 }, { url: 'https://www.site.example/' }] },
      fails: 1,
    },
    { name: 'to the same host', given: {}, fails: 0 },
    {
      name: 'to the same host first',
      given: { plainHttp: [{ status: 301 }, { status: 301 }, { url: 'https://www.site.example/' }] },
      fails: 0,
    },
    { name: 'port 80 closed', given: { plainHttp: [] }, fails: 0 },
  ],
});
