import { definePassiveCheck } from '../../check.ts';
import { helloTo } from '../../evidence/tls/tls.ts';

export default definePassiveCheck({
  id: 'tls-sigalg-sha1',
  group: 'transport',
  severity: 'LOW',
  cwe: 328,
  title: 'The server signs its key exchange with SHA-1',
  why: 'Collisions of SHA-1 can be computed. A signature made with it no longer proves who answered.',
  fix: 'Update the TLS library, or remove SHA-1 from its signature algorithms (SignatureAlgorithms in openssl.cnf).',
  references: ['https://www.rfc-editor.org/rfc/rfc9155'],
  needs: ['tls'],

  *run({ tls }) {
    const signature = tls && helloTo(tls, 'sha1')?.signature;
    if (signature && signature >> 8 === 2)
      yield { evidence: `Signature algorithm 0x${signature.toString(16).padStart(4, '0')}`, url: tls.url };
  },

  examples: [
    {
      name: 'SHA-1 when nothing else is offered',
      given: { tls: { sha1: { suite: 0xc02f, signature: 0x0201 } } },
      fails: 1,
    },
    {
      name: 'SHA-256 though it was not offered',
      given: { tls: { sha1: { suite: 0xc02f, signature: 0x0401 } } },
      fails: 0,
    },
    { name: 'refused', given: { tls: { sha1: 'refused' } }, fails: 0 },
  ],
});
