import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'tls-static-rsa-offered',
  group: 'transport',
  severity: 'LOW',
  cwe: 326,
  title: 'The server also agrees to key exchange without forward secrecy',
  why: 'Connections that are made this way can be decrypted later by whoever gets the key of the server.',
  fix: 'Remove the suites that begin with TLS_RSA (kRSA) from the cipher list once no old client needs them.',
  recipe: { set: 'TLS suites' },
  references: ['https://www.rfc-editor.org/rfc/rfc9325', 'https://ssl-config.mozilla.org/'],
  needs: ['tls'],

  *run({ tls }) {
    const agreed = tls?.agreed('staticRsa') ?? [];
    // Where there is nothing else, that is the finding.
    const hasBetter = tls?.speaks('tls13') || (tls?.agreed('forwardSecret').length ?? 0) > 0;
    if (tls && hasBetter && agreed.length > 0) yield { evidence: agreed.join('\n'), url: tls.url };
  },

  examples: [
    { name: 'RSA key exchange beside ECDHE', given: { tls: { staticRsa: { suite: 0x009c } } }, fails: 1 },
    {
      name: 'RSA key exchange only, which is another finding',
      given: { tls: { tls13: 'refused', tls12: { suite: 0x009c }, forwardSecret: 'refused' } },
      fails: 0,
    },
    { name: 'TLS 1.2 and 1.3 with good suites', given: {}, fails: 0 },
  ],
});
