import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'tls-1-0',
  group: 'transport',
  severity: 'MEDIUM',
  cwe: 326,
  title: 'TLS 1.0 enabled',
  why: 'The server accepts TLS 1.0, which was deprecated in RFC 8996 together with TLS 1.1. Both rely on MD5 and SHA-1 and have no authenticated encryption, so an attacker who forces a client down to them can use known attacks such as BEAST. The evidence shows the handshake that succeeded.',
  fix: 'Allow only TLS 1.2 and 1.3: ssl_protocols TLSv1.2 TLSv1.3; in nginx, SSLProtocol -all +TLSv1.2 +TLSv1.3 in Apache; on a CDN, set the minimum version to 1.2. Verify with openssl s_client -tls1 that the handshake fails.',
  recipe: { set: 'TLS versions' },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/09-Testing_for_Weak_Cryptography/01-Testing_for_Weak_Transport_Layer_Security',
    'https://www.rfc-editor.org/rfc/rfc8996',
    'https://ssl-config.mozilla.org/',
    'https://cwe.mitre.org/data/definitions/326.html',
  ],
  needs: ['tls'],

  *run({ tls }) {
    // One setting enables TLS 1.0 and 1.1, so they are reported as one finding.
    if (tls?.speaks('tls10')) yield { evidence: tls.evidenceOf('tls10', 'tls11'), url: tls.url };
  },

  examples: [
    { name: 'TLS 1.0', given: { tls: { tls10: { suite: 0x002f } } }, fails: 1 },
    { name: 'TLS 1.0 and 1.1', given: { tls: { tls10: { suite: 0x002f }, tls11: { suite: 0x002f } } }, fails: 1 },
    {
      name: 'server downgrades TLS 1.0 to SSL 3',
      given: { tls: { tls10: { version: 0x0300, suite: 0x002f } } },
      fails: 0,
    },
    { name: 'TLS 1.2 and 1.3 with secure suites', given: {}, fails: 0 },
  ],
});
