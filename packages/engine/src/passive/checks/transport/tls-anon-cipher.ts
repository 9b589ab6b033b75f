import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'tls-anon-cipher',
  group: 'transport',
  severity: 'CRITICAL',
  cwe: 322,
  title: 'Anonymous TLS cipher suites enabled (no authentication)',
  why: 'The server accepts anonymous cipher suites, which use no certificate. An attacker on the network path can pose as the server (man in the middle) and read and change the traffic. The evidence lists the suites that were negotiated.',
  fix: 'Remove anonymous suites (aNULL, ADH, AECDH) from the cipher list. Use the "intermediate" configuration of ssl-config.mozilla.org for your server.',
  recipe: { set: 'TLS suites' },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/09-Testing_for_Weak_Cryptography/01-Testing_for_Weak_Transport_Layer_Security',
    'https://www.rfc-editor.org/rfc/rfc9325',
    'https://ssl-config.mozilla.org/',
    'https://cwe.mitre.org/data/definitions/322.html',
  ],
  needs: ['tls'],

  *run({ tls }) {
    const agreed = tls?.agreed('anonymous') ?? [];
    if (tls && agreed.length > 0) yield { evidence: agreed.join('\n'), url: tls.url };
  },

  examples: [
    { name: 'anonymous suite', given: { tls: { anonymous: { suite: 0xc018 } } }, fails: 1 },
    { name: 'TLS 1.2 and 1.3 with secure suites', given: {}, fails: 0 },
  ],
});
