import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'tls-rc4-des-md5-cipher',
  group: 'transport',
  severity: 'HIGH',
  cwe: 327,
  title: 'Broken TLS cipher suites enabled (RC4, DES, RC2 or MD5)',
  why: 'The server accepts cipher suites with RC4, DES, RC2 or MD5. These algorithms are broken: an attacker who records or changes the traffic can recover plaintext such as cookies with moderate effort. The evidence lists the suites that were negotiated.',
  fix: 'Remove RC4, DES, RC2 and MD5 from the cipher list. Use the "intermediate" configuration of ssl-config.mozilla.org for your server.',
  recipe: { set: 'TLS suites' },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/09-Testing_for_Weak_Cryptography/01-Testing_for_Weak_Transport_Layer_Security',
    'https://www.rfc-editor.org/rfc/rfc7465',
    'https://www.rfc-editor.org/rfc/rfc9325',
    'https://cwe.mitre.org/data/definitions/327.html',
  ],
  needs: ['tls'],

  *run({ tls }) {
    const agreed = tls?.agreed('broken') ?? [];
    if (tls && agreed.length > 0) yield { evidence: agreed.join('\n'), url: tls.url };
  },

  examples: [
    { name: 'RC4 suite', given: { tls: { broken: { suite: 0x0005 } } }, fails: 1 },
    { name: 'RC4 preferred over better suites', given: { tls: { tls10: { suite: 0x0005 } } }, fails: 1 },
    {
      name: 'RC4 with an old version only',
      given: { tls: { brokenOld: { version: 0x0301, suite: 0x0004 } } },
      fails: 1,
    },
    { name: '3DES (tls-64bit-block-cipher)', given: { tls: { smallBlock: { suite: 0x000a } } }, fails: 0 },
    { name: 'TLS 1.2 and 1.3 with secure suites', given: {}, fails: 0 },
  ],
});
