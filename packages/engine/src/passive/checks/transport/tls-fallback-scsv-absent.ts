import { helloTo, versionLabel } from '../../../evidence/tls/tls.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'tls-fallback-scsv-absent',
  group: 'transport',
  severity: 'LOW',
  cwe: 757,
  title: 'TLS downgrade protection (TLS_FALLBACK_SCSV) missing',
  why: 'The server ignores TLS_FALLBACK_SCSV, with which a client marks a retry with an older version. An attacker who interrupts the first handshake can make the client retry with an older version and attack that (downgrade). The evidence shows the version that was negotiated instead of alert 86 (inappropriate_fallback).',
  fix: 'Update the TLS library, and disable TLS 1.1 and older. With TLS 1.2 and 1.3 only, the signal is not needed.',
  references: [
    'https://www.rfc-editor.org/rfc/rfc7507',
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/757.html',
  ],
  needs: ['tls'],

  *run({ tls }) {
    // TLS 1.3 detects a forced downgrade to 1.2 without the SCSV.
    if (!tls?.speaks('tls11', 'tls10', 'ssl3')) return;
    const hello = helloTo(tls, 'fallback');
    if (hello)
      yield {
        evidence: `ServerHello with ${versionLabel(hello.version)} instead of alert 86 (inappropriate_fallback)`,
        url: tls.url,
      };
  },

  examples: [
    {
      name: 'ServerHello in reply to a fallback',
      given: { tls: { tls11: { suite: 0xc013 }, fallback: { suite: 0xc02f } } },
      fails: 1,
    },
    { name: 'TLS 1.2 and 1.3 only', given: { tls: { fallback: { suite: 0xc02f } } }, fails: 0 },
    { name: 'one version only', given: { tls: { tls13: 'refused' } }, fails: 0 },
    {
      name: 'refused with another alert',
      given: { tls: { tls11: { suite: 0xc013 }, fallback: 'refused' } },
      fails: 0,
    },
    { name: 'TLS 1.2 and 1.3 with secure suites', given: {}, fails: 0 },
  ],
});
