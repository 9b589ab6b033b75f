import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'tls-export-cipher',
  group: 'transport',
  severity: 'CRITICAL',
  cwe: 326,
  title: 'The server agrees to export-grade encryption',
  why: 'Export suites have keys of 40 or 56 bits, which anybody can break in hours; attackers force connections down to them (FREAK, Logjam).',
  fix: 'Remove EXPORT from the cipher list and update the TLS library, which should not know them any more.',
  recipe: { set: 'TLS suites' },
  references: ['https://www.rfc-editor.org/rfc/rfc9325', 'https://weakdh.org/'],
  needs: ['tls'],

  *run({ tls }) {
    const agreed = tls?.agreed('export') ?? [];
    if (tls && agreed.length > 0) yield { evidence: agreed.join('\n'), url: tls.url };
  },

  examples: [
    { name: 'such a suite', given: { tls: { export: { suite: 0x0003 } } }, fails: 1 },
    { name: 'TLS 1.2 and 1.3 with good suites', given: {}, fails: 0 },
  ],
});
