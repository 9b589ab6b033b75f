import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'tls-sslv3',
  group: 'transport',
  severity: 'HIGH',
  cwe: 326,
  title: 'POODLE: SSL 3.0 enabled',
  why: "The server accepts SSL 3.0. An attacker on the network path who makes a visitor's client fall back to it recovers cookies from the connection (POODLE). The evidence shows the handshake that succeeded.",
  fix: 'Disable SSL 3.0: ssl_protocols TLSv1.2 TLSv1.3; in nginx, SSLProtocol -all +TLSv1.2 +TLSv1.3 in Apache. Verify with nmap --script ssl-enum-ciphers that SSLv3 is gone.',
  recipe: { set: 'TLS versions' },
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/09-Testing_for_Weak_Cryptography/01-Testing_for_Weak_Transport_Layer_Security',
    'https://www.rfc-editor.org/rfc/rfc7568',
    'https://ssl-config.mozilla.org/',
    'https://cwe.mitre.org/data/definitions/326.html',
  ],
  needs: ['tls'],

  *run({ tls }) {
    if (tls?.speaks('ssl3')) yield { evidence: tls.evidenceOf('ssl3'), url: tls.url };
  },

  examples: [
    { name: 'SSL 3.0', given: { tls: { ssl3: { suite: 0x0035 } } }, fails: 1 },
    {
      name: 'server upgrades SSL 3.0 to TLS 1.0',
      given: { tls: { ssl3: { version: 0x0301, suite: 0x0035 } } },
      fails: 0,
    },
    { name: 'TLS 1.2 and 1.3 with secure suites', given: {}, fails: 0 },
  ],
});
