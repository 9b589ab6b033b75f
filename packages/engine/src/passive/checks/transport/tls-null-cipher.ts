import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'tls-null-cipher',
  group: 'transport',
  severity: 'CRITICAL',
  cwe: 327,
  title: 'NULL TLS cipher suites enabled (no encryption)',
  why: 'The server accepts NULL cipher suites, which do not encrypt. Such a connection looks like HTTPS, but an attacker on the network path reads it in plain text. The evidence lists the suites that were negotiated.',
  fix: 'Remove NULL (eNULL) from the cipher list. Use the "intermediate" configuration of ssl-config.mozilla.org for your server.',
  recipe: { set: 'TLS suites' },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/09-Testing_for_Weak_Cryptography/01-Testing_for_Weak_Transport_Layer_Security',
    'https://www.rfc-editor.org/rfc/rfc9325',
    'https://ssl-config.mozilla.org/',
    'https://cwe.mitre.org/data/definitions/327.html',
  ],
  needs: ['tls'],

  *run({ tls }) {
    const agreed = tls?.agreed('null') ?? [];
    if (tls && agreed.length > 0) yield { evidence: agreed.join('\n'), url: tls.url };
  },

  examples: [
    { name: 'NULL suite', given: { tls: { null: { suite: 0x003b } } }, fails: 1 },
    { name: 'TLS 1.2 and 1.3 with secure suites', given: {}, fails: 0 },
  ],
});
