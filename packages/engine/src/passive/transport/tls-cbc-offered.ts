import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'tls-cbc-offered',
  group: 'transport',
  severity: 'INFO',
  cwe: 327,
  title: 'The server agrees to CBC suites with TLS 1.2',
  why: 'Suites in CBC mode have been attacked again and again through their padding (Lucky 13). Nothing is known to be broken here, but current clients need none of them.',
  fix: 'Offer only GCM and ChaCha20 suites once no old client needs CBC. Use the "intermediate" list of ssl-config.mozilla.org for the server you run.',
  recipe: { set: 'TLS suites' },
  references: ['https://www.rfc-editor.org/rfc/rfc9325', 'https://ssl-config.mozilla.org/'],
  needs: ['tls'],

  *run({ tls }) {
    const agreed = (tls?.agreed('cbc') ?? []).filter((line) => line.endsWith('TLS 1.2'));
    if (tls && agreed.length > 0) yield { evidence: agreed.join('\n'), url: tls.url };
  },

  examples: [
    { name: 'CBC with TLS 1.2', given: { tls: { cbc: { suite: 0xc013 } } }, fails: 1 },
    { name: 'CBC with TLS 1.0, which has nothing else', given: { tls: { tls10: { suite: 0xc013 } } }, fails: 0 },
    { name: 'TLS 1.2 and 1.3 with good suites', given: {}, fails: 0 },
  ],
});
