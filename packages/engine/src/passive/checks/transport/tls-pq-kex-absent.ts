import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'tls-pq-kex-absent',
  group: 'transport',
  severity: 'INFO',
  cwe: 327,
  title: 'TLS without post-quantum key exchange (X25519MLKEM768)',
  why: 'The server does not support the post-quantum hybrid key exchange X25519MLKEM768, which current browsers use by default. An attacker who records connections today can decrypt them once quantum computers are powerful enough (harvest now, decrypt later). A handshake that offered only this group was refused.',
  fix: 'Use a TLS library that supports it (OpenSSL 3.5, Go 1.24, BoringSSL), and put X25519MLKEM768 first in the list of groups. On a CDN this is usually enabled by default or a setting.',
  references: [
    'https://datatracker.ietf.org/doc/draft-ietf-tls-ecdhe-mlkem/',
    'https://ssl-config.mozilla.org/',
    'https://cwe.mitre.org/data/definitions/327.html',
  ],
  needs: ['tls'],

  *run({ tls }) {
    if (!tls || tls.spoken.length === 0) return;
    tls.requireAnswers('tls13', 'postQuantum');
    if (!tls.speaks('tls13') || !tls.refuses('postQuantum')) return;
    yield { evidence: 'Handshake with X25519MLKEM768 only was refused', url: tls.url };
  },

  examples: [
    { name: 'refused', given: { tls: { postQuantum: 'refused' } }, fails: 1 },
    { name: 'no reply', given: { tls: { postQuantum: { outcome: 'SILENT', version: null } } }, fails: 0 },
    {
      name: 'no TLS 1.3 (tls-1-3-absent)',
      given: { tls: { tls13: 'refused', postQuantum: 'refused' } },
      fails: 0,
    },
    { name: 'TLS 1.2 and 1.3 with secure suites', given: {}, fails: 0 },
  ],
});
