import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'tls-64bit-block-cipher',
  group: 'transport',
  severity: 'MEDIUM',
  cwe: 327,
  title: 'The server agrees to triple DES or IDEA',
  why: 'Ciphers with blocks of 64 bits leak data in long connections (SWEET32).',
  fix: 'Remove 3DES and IDEA from the cipher list. Use the "intermediate" list of ssl-config.mozilla.org for the server you run.',
  recipe: { set: 'TLS suites' },
  references: ['https://sweet32.info/', 'https://www.rfc-editor.org/rfc/rfc9325'],
  needs: ['tls'],

  *run({ tls }) {
    const agreed = tls?.agreed('smallBlock') ?? [];
    if (!tls || agreed.length === 0) return;
    const isOldOnly = agreed.every((line) => /(?:TLS 1\.0|SSL 3\.0)$/.test(line));
    yield { evidence: agreed.join('\n'), url: tls.url, severity: isOldOnly ? 'LOW' : 'MEDIUM' };
  },

  examples: [
    { name: 'triple DES with TLS 1.2', given: { tls: { smallBlock: { suite: 0x000a } } }, fails: 1 },
    {
      name: 'triple DES with TLS 1.0 only',
      given: { tls: { smallBlockOld: { version: 0x0301, suite: 0x000a } } },
      fails: 1,
      severity: 'LOW',
    },
    { name: 'TLS 1.2 and 1.3 with good suites', given: {}, fails: 0 },
  ],
});
