import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'tls-64bit-block-cipher',
  group: 'transport',
  severity: 'MEDIUM',
  cwe: 327,
  title: 'SWEET32: 64-bit TLS block ciphers enabled (3DES, IDEA)',
  why: 'The server accepts cipher suites with 64-bit blocks (3DES or IDEA). In a long connection blocks repeat, and an attacker who records enough traffic recovers cookies from the collisions (SWEET32). The evidence lists the suites that were negotiated.',
  fix: 'Remove 3DES and IDEA from the cipher list. Use the "intermediate" configuration of ssl-config.mozilla.org for your server.',
  recipe: { set: 'TLS suites' },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html',
    'https://sweet32.info/',
    'https://www.rfc-editor.org/rfc/rfc9325',
    'https://cwe.mitre.org/data/definitions/327.html',
  ],
  needs: ['tls'],

  *run({ tls }) {
    const agreed = tls?.agreed('smallBlock') ?? [];
    if (!tls || agreed.length === 0) return;
    const isOldOnly = agreed.every((line) => /(?:TLS 1\.0|SSL 3\.0)$/.test(line));
    yield { evidence: agreed.join('\n'), url: tls.url, severity: isOldOnly ? 'LOW' : 'MEDIUM' };
  },

  examples: [
    { name: '3DES with TLS 1.2', given: { tls: { smallBlock: { suite: 0x000a } } }, fails: 1 },
    {
      name: '3DES with TLS 1.0 only',
      given: { tls: { smallBlockOld: { version: 0x0301, suite: 0x000a } } },
      fails: 1,
      severity: 'LOW',
    },
    { name: 'TLS 1.2 and 1.3 with secure suites', given: {}, fails: 0 },
  ],
});
