import { definePassiveCheck } from '../../check.ts';
import { versionLabel } from '../../evidence/tls/tls.ts';

export default definePassiveCheck({
  id: 'tls-renegotiation-insecure',
  group: 'transport',
  severity: 'MEDIUM',
  cwe: 757,
  title: 'Renegotiation is not protected',
  why: 'An attacker on the way can put a request of their own in front of a visitor’s, which the server then takes for one.',
  fix: 'Update the TLS library: every one since 2010 sends renegotiation_info.',
  references: ['https://www.rfc-editor.org/rfc/rfc5746'],
  needs: ['tls'],

  *run({ tls }) {
    const hello = tls?.oldHello;
    if (hello && !hello.extensions.includes(0xff01)) {
      yield { evidence: `No renegotiation_info in the hello of ${versionLabel(hello.version)}`, url: tls.url };
    }
  },

  examples: [
    { name: 'no renegotiation_info', given: { tls: { tls12: { suite: 0xc02f, extensions: [23] } } }, fails: 1 },
    { name: 'TLS 1.3 only, which has no renegotiation', given: { tls: { tls12: 'refused' } }, fails: 0 },
    { name: 'TLS 1.2 and 1.3 with good suites', given: {}, fails: 0 },
  ],
});
