import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'tls-null-cipher',
  group: 'transport',
  severity: 'CRITICAL',
  cwe: 327,
  title: 'The server agrees to send data unencrypted',
  why: 'With a NULL suite the connection looks like https and is plain text for everybody on the way.',
  fix: 'Remove NULL (eNULL) from the cipher list. Use the "intermediate" list of ssl-config.mozilla.org for the server you run.',
  recipe: { set: 'TLS suites' },
  references: ['https://www.rfc-editor.org/rfc/rfc9325', 'https://ssl-config.mozilla.org/'],
  needs: ['tls'],

  *run({ tls }) {
    const agreed = tls?.agreed('null') ?? [];
    if (tls && agreed.length > 0) yield { evidence: agreed.join('\n'), url: tls.url };
  },

  examples: [
    { name: 'such a suite', given: { tls: { null: { suite: 0x003b } } }, fails: 1 },
    { name: 'TLS 1.2 and 1.3 with good suites', given: {}, fails: 0 },
  ],
});
