import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'tls-1-2-and-1-3-absent',
  group: 'transport',
  severity: 'HIGH',
  cwe: 326,
  title: 'The server speaks no current version of TLS',
  why: 'Browsers refuse anything older than TLS 1.2: to most visitors this site is out of reach, and to the rest it is not safe.',
  fix: 'Update the TLS library, and allow TLS 1.2 and 1.3.',
  recipe: { set: 'TLS versions' },
  references: ['https://www.rfc-editor.org/rfc/rfc8996', 'https://ssl-config.mozilla.org/'],
  needs: ['tls'],

  *run({ tls }) {
    if (!tls || tls.spoken.length === 0 || tls.speaks('tls12', 'tls13')) return;
    yield { evidence: tls.evidenceOf(...tls.spoken), url: tls.url };
  },

  examples: [
    {
      name: 'nothing newer than TLS 1.0',
      given: { tls: { tls13: 'refused', tls12: 'refused', tls10: { suite: 0x002f } } },
      fails: 1,
    },
    { name: 'TLS 1.3 only', given: { tls: { tls12: 'refused' } }, fails: 0 },
    { name: 'TLS 1.2 only', given: { tls: { tls13: 'refused' } }, fails: 0 },
    {
      name: 'no TLS at all',
      given: { url: 'http://site.example/', tls: { tls13: 'refused', tls12: 'refused' } },
      fails: 0,
    },
    { name: 'TLS 1.2 and 1.3 with good suites', given: {}, fails: 0 },
  ],
});
