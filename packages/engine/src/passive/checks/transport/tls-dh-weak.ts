import { isSuiteOf } from '../../../evidence/tls/cipher-suites.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'tls-dh-weak',
  group: 'transport',
  severity: 'MEDIUM',
  cwe: 326,
  title: 'Logjam: weak TLS Diffie-Hellman parameters (below 2048 bits)',
  why: 'The server uses Diffie-Hellman groups with less than 2048 bits. A 1024-bit group is within reach of state-level attackers and a smaller one of anyone; because many servers share the same group, one precomputation decrypts all of them (Logjam). The evidence shows the size of the prime.',
  fix: 'Use ECDHE instead of DHE, or a group of at least 2048 bits: ffdhe2048 of RFC 7919, or ssl_dhparam with a file of your own. Generate such a file with openssl dhparam -out dhparam.pem 2048.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html',
    'https://weakdh.org/',
    'https://www.rfc-editor.org/rfc/rfc7919',
    'https://cwe.mitre.org/data/definitions/326.html',
  ],
  needs: ['tls'],

  *run({ tls }) {
    const hellos = Object.values(tls?.answers ?? {}).filter(
      ({ outcome, suite }) => outcome === 'HELLO' && isSuiteOf(suite ?? 0, 'finiteField'),
    );
    const bits = Math.min(...hellos.map(({ dhBits }) => dhBits ?? Infinity));
    if (!tls || bits >= 2_048) return;
    yield { evidence: `${bits}-bit Diffie-Hellman prime`, url: tls.url, severity: bits < 1_024 ? 'HIGH' : 'MEDIUM' };
  },

  examples: [
    { name: '1024 bits', given: { tls: { finiteField: { suite: 0x0033, dhBits: 1_024 } } }, fails: 1 },
    { name: '512 bits', given: { tls: { finiteField: { suite: 0x0033, dhBits: 512 } } }, fails: 1, severity: 'HIGH' },
    { name: '2048 bits', given: { tls: { finiteField: { suite: 0x0033, dhBits: 2_048 } } }, fails: 0 },
    {
      name: 'anonymous suite (tls-anon-cipher)',
      given: { tls: { anonymous: { suite: 0x0034, dhBits: 512 } } },
      fails: 0,
    },
    { name: 'TLS 1.2 and 1.3 with secure suites', given: {}, fails: 0 },
  ],
});
