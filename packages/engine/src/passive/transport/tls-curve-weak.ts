import { definePassiveCheck } from '../../check.ts';
import { weakGroups } from '../../evidence/tls/hellos.ts';
import { helloTo } from '../../evidence/tls/tls.ts';

export default definePassiveCheck({
  id: 'tls-curve-weak',
  group: 'transport',
  severity: 'LOW',
  cwe: 326,
  title: 'The server agrees to elliptic curves that are too small',
  why: 'Curves below 256 bits have a margin that is not comfortable any more, and no client needs them.',
  fix: 'Allow only X25519, P-256 and P-384: ssl_ecdh_curve X25519:prime256v1:secp384r1; in nginx.',
  references: ['https://www.rfc-editor.org/rfc/rfc8422', 'https://www.rfc-editor.org/rfc/rfc9325'],
  needs: ['tls'],

  *run({ tls }) {
    const group = tls && helloTo(tls, 'weakCurve')?.group;
    if (group && weakGroups.includes(group))
      yield { evidence: `Named curve ${group} of the TLS registry`, url: tls.url };
  },

  examples: [
    { name: 'secp224r1', given: { tls: { weakCurve: { suite: 0xc013, group: 21 } } }, fails: 1 },
    { name: 'secp192r1', given: { tls: { weakCurve: { suite: 0xc013, group: 19 } } }, fails: 1 },
    { name: 'P-256 though it was not offered', given: { tls: { weakCurve: { suite: 0xc013, group: 23 } } }, fails: 0 },
    { name: 'TLS 1.2 and 1.3 with good suites', given: {}, fails: 0 },
  ],
});
