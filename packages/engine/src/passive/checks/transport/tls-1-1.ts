import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'tls-1-1',
  group: 'transport',
  severity: 'MEDIUM',
  cwe: 326,
  title: 'TLS 1.1 enabled',
  why: 'The server accepts TLS 1.1, which was deprecated in RFC 8996. It relies on MD5 and SHA-1 and has no authenticated encryption, so an attacker who forces a client down to it can use known attacks on CBC suites such as Lucky 13. The evidence shows the handshake that succeeded.',
  fix: 'Allow only TLS 1.2 and 1.3: ssl_protocols TLSv1.2 TLSv1.3; in nginx, SSLProtocol -all +TLSv1.2 +TLSv1.3 in Apache; on a CDN, set the minimum version to 1.2. Verify with openssl s_client -tls1_1 that the handshake fails.',
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
    // tls-1-0 reports both versions if TLS 1.0 is enabled too.
    if (tls?.speaks('tls11') && !tls.speaks('tls10')) yield { evidence: tls.evidenceOf('tls11'), url: tls.url };
  },

  examples: [
    { name: 'TLS 1.1', given: { tls: { tls11: { suite: 0x002f } } }, fails: 1 },
    {
      name: 'TLS 1.0 and 1.1 (tls-1-0)',
      given: { tls: { tls10: { suite: 0x002f }, tls11: { suite: 0x002f } } },
      fails: 0,
    },
    { name: 'TLS 1.2 and 1.3 with secure suites', given: {}, fails: 0 },
  ],
});
