import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'tls-1-3-absent',
  group: 'transport',
  severity: 'INFO',
  cwe: 326,
  title: 'TLS 1.3 not supported',
  why: 'The server does not support TLS 1.3. TLS 1.2 is still secure if it is configured well, but it leaves weak options that an attacker can look for, which TLS 1.3 has removed, and it needs one more round trip. The evidence shows the versions that the server accepts.',
  fix: 'Update the TLS library (OpenSSL 1.1.1 or newer) and enable TLS 1.3 in addition to 1.2. Verify with openssl s_client -tls1_3 that the handshake succeeds.',
  recipe: { set: 'TLS versions' },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html',
    'https://www.rfc-editor.org/rfc/rfc8446',
    'https://ssl-config.mozilla.org/',
    'https://cwe.mitre.org/data/definitions/326.html',
  ],
  needs: ['tls'],

  *run({ tls }) {
    if (!tls?.speaks('tls12') || tls.speaks('tls13')) return;
    tls.requireAnswers('tls13');
    yield { evidence: tls.evidenceOf(...tls.spoken), url: tls.url };
  },

  examples: [
    { name: 'TLS 1.2 only', given: { tls: { tls13: 'refused' } }, fails: 1 },
    {
      name: 'TLS 1.0 only (tls-1-2-and-1-3-absent)',
      given: { tls: { tls13: 'refused', tls12: 'refused', tls10: { suite: 0x002f } } },
      fails: 0,
    },
    { name: 'TLS 1.2 and 1.3 with secure suites', given: {}, fails: 0 },
  ],
});
