import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'https-downgrade',
  group: 'hygiene',
  severity: 'HIGH',
  cwe: 319,
  title: 'HTTPS downgrade: redirect from HTTPS to HTTP',
  why: 'A redirect leads visitors from HTTPS to unencrypted HTTP. An attacker on the network path can then read and change what they send and see, although they started on a secure connection. The evidence shows the two responses.',
  fix: 'Redirect to HTTPS URLs only. Look for http:// in the base URL of the application, and make the reverse proxy set X-Forwarded-Proto.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/09-Testing_for_Weak_Cryptography/03-Testing_for_Sensitive_Information_Sent_via_Unencrypted_Channels',
    'https://cwe.mitre.org/data/definitions/319.html',
  ],
  needs: ['answers'],

  *run({ answers }) {
    for (const [index, { url, status }] of answers.entries()) {
      const next = answers[index + 1];
      if (url.protocol === 'https:' && next?.url.protocol === 'http:') {
        yield { url: url.href, evidence: `${status} ${url}\n${next.status} ${next.url}` };
        return;
      }
    }
  },

  examples: [
    { name: 'to HTTP', given: { before: [{}], url: 'http://site.example/home' }, fails: 1 },
    {
      name: 'to HTTP and back',
      given: { before: [{}, { url: 'http://site.example/en' }], url: 'https://site.example/en' },
      fails: 1,
    },
    { name: 'no redirect', given: {}, fails: 0 },
    { name: 'from HTTP to HTTPS', given: { before: [{ url: 'http://site.example/' }] }, fails: 0 },
  ],
});
