import { hstsOf, isPreloaded } from '../../../evidence/page/hsts.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'hsts-missing',
  group: 'headers',
  severity: 'MEDIUM',
  cwe: 319,
  title: 'HSTS header missing',
  why: 'The site does not send Strict-Transport-Security (HSTS), so browsers keep trying HTTP first for typed addresses and old links. An attacker on the network path can hold such a visitor on HTTP (SSL stripping) and read or change everything they send. The evidence shows the header as sent over HTTPS.',
  fix: 'Send Strict-Transport-Security: max-age=31536000; includeSubDomains with every HTTPS response once all subdomains support HTTPS. Start with a short max-age such as 300 and increase it in steps.',
  recipe: { header: ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'] },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Strict_Transport_Security_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/07-Test_HTTP_Strict_Transport_Security',
    'https://www.rfc-editor.org/rfc/rfc6797',
    'https://cwe.mitre.org/data/definitions/319.html',
  ],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    if (hstsOf(mainDocument).state !== 'MISSING' || isPreloaded(mainDocument.url.hostname)) return;
    yield { evidence: mainDocument.headerLines('strict-transport-security') };
  },

  examples: [
    { name: 'not sent', given: {}, fails: 1 },
    {
      name: 'sent by a redirect over HTTP (ignored by browsers)',
      given: {
        before: [{ url: 'http://site.example/', headers: { 'strict-transport-security': 'max-age=31536000' } }],
      },
      fails: 1,
    },
    { name: 'not HTML', given: { headers: { 'content-type': 'application/json' } }, fails: 1 },
    { name: 'hostname that ends like a preloaded TLD', given: { url: 'https://nodev/' }, fails: 1 },
    { name: 'sent', given: { headers: { 'Strict-Transport-Security': 'max-age=31536000' } }, fails: 0 },
    { name: 'HTTP', given: { url: 'http://site.example/' }, fails: 0 },
    { name: 'IPv4 address', given: { url: 'https://192.0.2.1:8443/' }, fails: 0 },
    { name: 'IPv6 address', given: { url: 'https://[2001:db8::1]/' }, fails: 0 },
    { name: 'preloaded TLD', given: { url: 'https://site.dev/' }, fails: 0 },
  ],
});
