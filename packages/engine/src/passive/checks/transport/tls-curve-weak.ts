import { weakGroups } from '../../../evidence/tls/hellos.ts';
import { helloTo } from '../../../evidence/tls/tls.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'tls-curve-weak',
  group: 'transport',
  severity: 'LOW',
  cwe: 326,
  title: 'Weak elliptic curves in TLS key exchange (below 256 bits)',
  why: 'The server accepts elliptic curves with less than 256 bits for the key exchange. Their security margin is too small: an attacker with large resources may derive the session key of a recorded connection. The evidence shows the curve that was negotiated.',
  fix: 'Allow only X25519, P-256 and P-384: ssl_ecdh_curve X25519:prime256v1:secp384r1; in nginx. In Apache, set SSLOpenSSLConfCmd Groups to the same list.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html',
    'https://www.rfc-editor.org/rfc/rfc8422',
    'https://www.rfc-editor.org/rfc/rfc9325',
    'https://cwe.mitre.org/data/definitions/326.html',
  ],
  needs: ['tls'],

  *run({ tls }) {
    const group = tls && helloTo(tls, 'weakCurve')?.group;
    if (group && weakGroups.includes(group))
      yield { evidence: `Named curve ${group} (IANA TLS Supported Groups) was negotiated`, url: tls.url };
  },

  examples: [
    { name: 'secp224r1', given: { tls: { weakCurve: { suite: 0xc013, group: 21 } } }, fails: 1 },
    { name: 'secp192r1', given: { tls: { weakCurve: { suite: 0xc013, group: 19 } } }, fails: 1 },
    {
      name: 'P-256 although it was not offered',
      given: { tls: { weakCurve: { suite: 0xc013, group: 23 } } },
      fails: 0,
    },
    { name: 'TLS 1.2 and 1.3 with secure suites', given: {}, fails: 0 },
  ],
});
