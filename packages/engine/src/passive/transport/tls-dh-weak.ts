import { definePassiveCheck } from '../../check.ts';
import { isSuiteOf } from '../../evidence/tls/cipher-suites.ts';

export default definePassiveCheck({
  id: 'tls-dh-weak',
  group: 'transport',
  severity: 'MEDIUM',
  cwe: 326,
  title: 'The server uses Diffie-Hellman groups that are too small',
  why: 'Groups of 1024 bits are within reach of rich attackers, smaller ones of anybody; often thousands of servers share one, so that breaking it once is enough (Logjam).',
  fix: 'Use ECDHE instead of DHE, or a group of at least 2048 bits: ffdhe2048 of RFC 7919, or ssl_dhparam with a file of your own.',
  references: ['https://weakdh.org/', 'https://www.rfc-editor.org/rfc/rfc7919'],
  needs: ['tls'],

  *run({ tls }) {
    const hellos = Object.values(tls?.answers ?? {}).filter(
      ({ outcome, suite }) => outcome === 'HELLO' && isSuiteOf(suite ?? 0, 'finiteField'),
    );
    const bits = Math.min(...hellos.map(({ dhBits }) => dhBits ?? Infinity));
    if (!tls || bits >= 2_048) return;
    yield { evidence: `A prime of ${bits} bits`, url: tls.url, severity: bits < 1_024 ? 'HIGH' : 'MEDIUM' };
  },

  examples: [
    { name: '1024 bits', given: { tls: { finiteField: { suite: 0x0033, dhBits: 1_024 } } }, fails: 1 },
    { name: '512 bits', given: { tls: { finiteField: { suite: 0x0033, dhBits: 512 } } }, fails: 1, severity: 'HIGH' },
    { name: '2048 bits', given: { tls: { finiteField: { suite: 0x0033, dhBits: 2_048 } } }, fails: 0 },
    {
      name: 'an anonymous suite, which is another finding',
      given: { tls: { anonymous: { suite: 0x0034, dhBits: 512 } } },
      fails: 0,
    },
    { name: 'TLS 1.2 and 1.3 with good suites', given: {}, fails: 0 },
  ],
});
