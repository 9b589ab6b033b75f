import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'tls-pq-kex-absent',
  group: 'transport',
  severity: 'INFO',
  cwe: 327,
  title: 'The server knows no key exchange that withstands quantum computers',
  why: 'Who records connections today may decrypt them once such computers exist. Current browsers already use X25519MLKEM768 where the server does.',
  fix: 'Use a TLS library that has it (OpenSSL 3.5, Go 1.24, BoringSSL), and put X25519MLKEM768 first in the list of groups.',
  references: ['https://datatracker.ietf.org/doc/draft-ietf-tls-ecdhe-mlkem/', 'https://ssl-config.mozilla.org/'],
  needs: ['tls'],

  *run({ tls }) {
    if (!tls?.speaks('tls13') || !tls.refuses('postQuantum')) return;
    yield { evidence: 'X25519MLKEM768 alone is refused', url: tls.url };
  },

  examples: [
    { name: 'refused', given: { tls: { postQuantum: 'refused' } }, fails: 1 },
    { name: 'no answer', given: { tls: { postQuantum: { outcome: 'SILENT', version: null } } }, fails: 0 },
    {
      name: 'no TLS 1.3, which is another finding',
      given: { tls: { tls13: 'refused', postQuantum: 'refused' } },
      fails: 0,
    },
    { name: 'TLS 1.2 and 1.3 with good suites', given: {}, fails: 0 },
  ],
});
