import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'tls-1-3-absent',
  group: 'transport',
  severity: 'INFO',
  cwe: 326,
  title: 'The server does not speak TLS 1.3',
  why: 'TLS 1.3 connects faster and has no weak choices left. TLS 1.2 is still safe when it is set up well.',
  fix: 'Update the TLS library (OpenSSL 1.1.1 or newer) and allow TLS 1.3 beside 1.2.',
  recipe: { set: 'TLS versions' },
  references: ['https://www.rfc-editor.org/rfc/rfc8446', 'https://ssl-config.mozilla.org/'],
  needs: ['tls'],

  *run({ tls }) {
    if (tls?.speaks('tls12') && !tls.speaks('tls13')) yield { evidence: tls.evidenceOf(...tls.spoken), url: tls.url };
  },

  examples: [
    { name: 'TLS 1.2 only', given: { tls: { tls13: 'refused' } }, fails: 1 },
    {
      name: 'nothing newer than TLS 1.0, which is worse and says so itself',
      given: { tls: { tls13: 'refused', tls12: 'refused', tls10: { suite: 0x002f } } },
      fails: 0,
    },
    { name: 'TLS 1.2 and 1.3 with good suites', given: {}, fails: 0 },
  ],
});
