import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'tls-forward-secrecy-absent',
  group: 'transport',
  severity: 'MEDIUM',
  cwe: 326,
  title: 'Recorded connections can be decrypted later',
  why: 'The server only agrees to key exchange with its own RSA key: whoever gets that key one day can read all traffic recorded until then.',
  fix: 'Offer ECDHE suites first, and TLS 1.3. Use the "intermediate" list of ssl-config.mozilla.org for the server you run.',
  recipe: { set: 'TLS suites' },
  references: ['https://www.rfc-editor.org/rfc/rfc9325', 'https://ssl-config.mozilla.org/'],
  needs: ['tls'],

  *run({ tls }) {
    if (!tls || tls.speaks('tls13') || tls.agreed('forwardSecret').length > 0) return;
    // Without an answer to that very question nothing is known.
    const agreed = tls.agreed('staticRsa');
    if (agreed.length > 0 && tls.refuses('forwardSecret')) yield { evidence: agreed.join('\n'), url: tls.url };
  },

  examples: [
    {
      name: 'RSA key exchange only',
      given: { tls: { tls13: 'refused', tls12: { suite: 0x009c }, forwardSecret: 'refused' } },
      fails: 1,
    },
    {
      name: 'no answer to the question',
      given: {
        tls: {
          tls13: 'refused',
          tls12: { suite: 0x009c },
          forwardSecret: { outcome: 'SILENT', version: null },
        },
      },
      fails: 0,
    },
    {
      name: 'RSA key exchange beside ECDHE',
      given: { tls: { tls13: 'refused', staticRsa: { suite: 0x009c } } },
      fails: 0,
    },
    { name: 'TLS 1.2 and 1.3 with good suites', given: {}, fails: 0 },
  ],
});
