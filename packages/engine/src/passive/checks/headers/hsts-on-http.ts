import { definePassiveCheck } from '../../define-passive-check.ts';

const headers = { 'strict-transport-security': 'max-age=31536000' };

export default definePassiveCheck({
  id: 'hsts-on-http',
  group: 'headers',
  severity: 'INFO',
  cwe: 319,
  title: 'HSTS header sent over HTTP, where browsers ignore it',
  why: 'The site sends Strict-Transport-Security (HSTS) over plain HTTP. Browsers ignore it there because an attacker on the network path could forge it, so the header gives no protection against SSL stripping and hides that HTTPS responses may lack it. The evidence shows the header as sent.',
  fix: 'Redirect HTTP to HTTPS and send the header with HTTPS responses only. Check that the HTTPS responses do contain it.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Strict_Transport_Security_Cheat_Sheet.html',
    'https://www.rfc-editor.org/rfc/rfc6797#section-7.2',
    'https://cwe.mitre.org/data/definitions/319.html',
  ],
  needs: ['answers'],

  *run({ answers }) {
    for (const { url, headers, headerLines } of answers) {
      if (url.protocol !== 'http:' || headers('strict-transport-security').length === 0) continue;
      yield { url: url.href, evidence: headerLines('strict-transport-security') };
    }
  },

  examples: [
    { name: 'page over HTTP', given: { url: 'http://site.example/', headers }, fails: 1 },
    { name: 'redirect to HTTPS', given: { before: [{ url: 'http://site.example/', headers }] }, fails: 1 },
    { name: 'over HTTPS', given: { before: [{ url: 'https://site.example/old', headers }], headers }, fails: 0 },
    { name: 'not sent over HTTP', given: { url: 'http://site.example/' }, fails: 0 },
  ],
});
