import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'tls-rc4-des-md5-cipher',
  group: 'transport',
  severity: 'HIGH',
  cwe: 327,
  title: 'The server agrees to RC4, DES, RC2 or MD5',
  why: 'These are broken: what is encrypted or signed with them can be read or changed with moderate effort.',
  fix: 'Remove RC4, DES, RC2 and MD5 from the cipher list. Use the "intermediate" list of ssl-config.mozilla.org for the server you run.',
  recipe: { set: 'TLS suites' },
  references: ['https://www.rfc-editor.org/rfc/rfc7465', 'https://www.rfc-editor.org/rfc/rfc9325'],
  needs: ['tls'],

  *run({ tls }) {
    const agreed = tls?.agreed('broken') ?? [];
    if (tls && agreed.length > 0) yield { evidence: agreed.join('\n'), url: tls.url };
  },

  examples: [
    { name: 'such a suite', given: { tls: { broken: { suite: 0x0005 } } }, fails: 1 },
    { name: 'RC4 chosen where better was offered', given: { tls: { tls10: { suite: 0x0005 } } }, fails: 1 },
    {
      name: 'RC4 with an old version only',
      given: { tls: { brokenOld: { version: 0x0301, suite: 0x0004 } } },
      fails: 1,
    },
    { name: 'triple DES, which is another finding', given: { tls: { smallBlock: { suite: 0x000a } } }, fails: 0 },
    { name: 'TLS 1.2 and 1.3 with good suites', given: {}, fails: 0 },
  ],
});
