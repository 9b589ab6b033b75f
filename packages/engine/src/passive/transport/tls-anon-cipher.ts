import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'tls-anon-cipher',
  group: 'transport',
  severity: 'CRITICAL',
  cwe: 322,
  title: 'The server agrees to connections without a certificate',
  why: 'With an anonymous suite nobody proves who they are: whoever sits on the way can be the server.',
  fix: 'Remove anonymous suites (aNULL, ADH, AECDH) from the cipher list. Use the "intermediate" list of ssl-config.mozilla.org for the server you run.',
  recipe: { set: 'TLS suites' },
  references: ['https://www.rfc-editor.org/rfc/rfc9325', 'https://ssl-config.mozilla.org/'],
  needs: ['tls'],

  *run({ tls }) {
    const agreed = tls?.agreed('anonymous') ?? [];
    if (tls && agreed.length > 0) yield { evidence: agreed.join('\n'), url: tls.url };
  },

  examples: [
    { name: 'such a suite', given: { tls: { anonymous: { suite: 0xc018 } } }, fails: 1 },
    { name: 'TLS 1.2 and 1.3 with good suites', given: {}, fails: 0 },
  ],
});
