import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'tls-aead-absent',
  group: 'transport',
  severity: 'MEDIUM',
  cwe: 327,
  title: 'No TLS cipher suites with AEAD (AES-GCM, ChaCha20-Poly1305)',
  why: 'The server supports no cipher suite with authenticated encryption (AEAD). All connections use CBC or stream ciphers, for which an attacker on the network path has known attacks such as Lucky 13. The evidence shows the handshakes that succeeded.',
  fix: 'Enable AES-GCM and ChaCha20-Poly1305 suites with TLS 1.2, and TLS 1.3. Use the "intermediate" configuration of ssl-config.mozilla.org for your server.',
  recipe: { set: 'TLS suites' },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html',
    'https://www.rfc-editor.org/rfc/rfc9325',
    'https://ssl-config.mozilla.org/',
    'https://cwe.mitre.org/data/definitions/327.html',
  ],
  needs: ['tls'],

  *run({ tls }) {
    if (!tls || tls.spoken.length === 0 || tls.speaks('tls13') || tls.agreed('authenticated').length > 0) return;
    tls.requireAnswers('tls13', 'authenticated');
    if (tls.refuses('authenticated')) yield { evidence: tls.evidenceOf(...tls.spoken), url: tls.url };
  },

  examples: [
    {
      name: 'CBC only',
      given: { tls: { tls13: 'refused', tls12: { suite: 0xc013 }, authenticated: 'refused' } },
      fails: 1,
    },
    {
      name: 'CBC preferred over GCM',
      given: {
        tls: { tls13: 'refused', tls12: { suite: 0xc013 }, authenticated: { suite: 0xc02f } },
      },
      fails: 0,
    },
    { name: 'TLS 1.2 and 1.3 with secure suites', given: {}, fails: 0 },
  ],
});
