import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'tls-aead-absent',
  group: 'transport',
  severity: 'MEDIUM',
  cwe: 327,
  title: 'The server offers no authenticated encryption',
  why: 'Without AEAD suites all connections use constructions that have been attacked for years.',
  fix: 'Offer AES-GCM and ChaCha20-Poly1305 suites with TLS 1.2, and TLS 1.3. Use the "intermediate" list of ssl-config.mozilla.org for the server you run.',
  recipe: { set: 'TLS suites' },
  references: ['https://www.rfc-editor.org/rfc/rfc9325', 'https://ssl-config.mozilla.org/'],
  needs: ['tls'],

  *run({ tls }) {
    if (!tls || tls.spoken.length === 0 || tls.speaks('tls13') || tls.agreed('authenticated').length > 0) return;
    if (tls.refuses('authenticated')) yield { evidence: tls.evidenceOf(...tls.spoken), url: tls.url };
  },

  examples: [
    {
      name: 'CBC only',
      given: { tls: { tls13: 'refused', tls12: { suite: 0xc013 }, authenticated: 'refused' } },
      fails: 1,
    },
    {
      name: 'CBC chosen where GCM would have been had',
      given: {
        tls: { tls13: 'refused', tls12: { suite: 0xc013 }, authenticated: { suite: 0xc02f } },
      },
      fails: 0,
    },
    { name: 'TLS 1.2 and 1.3 with good suites', given: {}, fails: 0 },
  ],
});
