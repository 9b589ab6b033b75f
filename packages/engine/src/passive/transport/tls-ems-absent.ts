import { definePassiveCheck } from '../../check.ts';
import { versionLabel } from '../../evidence/tls/tls.ts';

export default definePassiveCheck({
  id: 'tls-ems-absent',
  group: 'transport',
  severity: 'INFO',
  cwe: 295,
  title: 'The server does not know the extended master secret',
  why: 'Without it, a server in the middle can make two connections with the same keys, which breaks what relies on them being different.',
  fix: 'Update the TLS library; every current one has it.',
  references: ['https://www.rfc-editor.org/rfc/rfc7627'],
  needs: ['tls'],

  *run({ tls }) {
    const hello = tls?.oldHello;
    if (hello && !hello.extensions.includes(23)) {
      yield { evidence: `No extended_master_secret in the hello of ${versionLabel(hello.version)}`, url: tls.url };
    }
  },

  examples: [
    { name: 'no extended_master_secret', given: { tls: { tls12: { suite: 0xc02f, extensions: [0xff01] } } }, fails: 1 },
    { name: 'TLS 1.3 only, which always has it', given: { tls: { tls12: 'refused' } }, fails: 0 },
    { name: 'TLS 1.2 and 1.3 with good suites', given: {}, fails: 0 },
  ],
});
