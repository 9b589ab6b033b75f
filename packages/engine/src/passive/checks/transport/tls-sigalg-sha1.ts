import { helloTo } from '../../../evidence/tls/tls.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'tls-sigalg-sha1',
  group: 'transport',
  severity: 'LOW',
  cwe: 328,
  title: 'TLS key exchange signed with SHA-1',
  why: 'The server signs its key exchange with SHA-1 if a client offers nothing else. SHA-1 collisions are practical, so an attacker with large resources may forge such a signature and impersonate the server. The evidence shows the signature algorithm that was used.',
  fix: 'Update the TLS library, or remove SHA-1 from its signature algorithms (SignatureAlgorithms in openssl.cnf). With OpenSSL 3 the default security level already excludes SHA-1.',
  references: [
    'https://www.rfc-editor.org/rfc/rfc9155',
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/328.html',
  ],
  needs: ['tls'],

  *run({ tls }) {
    const signature = tls && helloTo(tls, 'sha1')?.signature;
    if (signature && signature >> 8 === 2)
      yield { evidence: `Signature algorithm 0x${signature.toString(16).padStart(4, '0')}`, url: tls.url };
  },

  examples: [
    {
      name: 'SHA-1 if nothing else is offered',
      given: { tls: { sha1: { suite: 0xc02f, signature: 0x0201 } } },
      fails: 1,
    },
    {
      name: 'SHA-256 although it was not offered',
      given: { tls: { sha1: { suite: 0xc02f, signature: 0x0401 } } },
      fails: 0,
    },
    { name: 'refused', given: { tls: { sha1: 'refused' } }, fails: 0 },
  ],
});
