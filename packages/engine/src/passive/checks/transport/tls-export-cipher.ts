import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'tls-export-cipher',
  group: 'transport',
  severity: 'CRITICAL',
  cwe: 326,
  title: 'FREAK/Logjam: export-grade TLS cipher suites enabled',
  why: 'The server accepts export-grade cipher suites with 40-bit or 56-bit keys. An attacker on the network path forces connections down to them (FREAK, Logjam) and breaks the key within hours. The evidence lists the suites that were negotiated.',
  fix: 'Remove EXPORT from the cipher list and update the TLS library; current ones no longer include these suites. Use the "intermediate" configuration of ssl-config.mozilla.org for your server.',
  recipe: { set: 'TLS suites' },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/09-Testing_for_Weak_Cryptography/01-Testing_for_Weak_Transport_Layer_Security',
    'https://www.rfc-editor.org/rfc/rfc9325',
    'https://weakdh.org/',
    'https://cwe.mitre.org/data/definitions/326.html',
  ],
  needs: ['tls'],

  *run({ tls }) {
    const agreed = tls?.agreed('export') ?? [];
    if (tls && agreed.length > 0) yield { evidence: agreed.join('\n'), url: tls.url };
  },

  examples: [
    { name: 'export suite', given: { tls: { export: { suite: 0x0003 } } }, fails: 1 },
    { name: 'TLS 1.2 and 1.3 with secure suites', given: {}, fails: 0 },
  ],
});
