import { definePassiveCheck } from '../../define-passive-check.ts';

const TEMPORARY = new Set([302, 303, 307]);

export default definePassiveCheck({
  id: 'redirect-temporary',
  group: 'hygiene',
  severity: 'INFO',
  cwe: null,
  title: 'Temporary redirect from HTTP to HTTPS',
  why: 'The redirect from HTTP to HTTPS is temporary (302, 303 or 307). Browsers and search engines do not cache it and request the HTTP URL again, and each such request is one that an attacker on the network path can intercept. The evidence shows the two responses.',
  fix: 'Answer with 301 or 308 on port 80. Send Strict-Transport-Security (HSTS) over HTTPS, so that browsers skip the HTTP request.',
  references: [
    'https://www.rfc-editor.org/rfc/rfc9110#section-15.4.9',
    'https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Strict_Transport_Security_Cheat_Sheet.html',
  ],
  needs: ['plainHttp'],

  *run({ plainHttp: { hops } }) {
    const [first, second] = hops;
    if (first && second?.url.startsWith('https:') && TEMPORARY.has(first.status)) {
      yield { url: first.url, evidence: `${first.status} ${first.url}\n${second.status} ${second.url}` };
    }
  },

  examples: [
    { name: '302', given: { plainHttp: [{ status: 302 }, {}] }, fails: 1 },
    { name: '308', given: { plainHttp: [{ status: 308 }, {}] }, fails: 0 },
    { name: 'port 80 closed', given: { plainHttp: [] }, fails: 0 },
  ],
});
