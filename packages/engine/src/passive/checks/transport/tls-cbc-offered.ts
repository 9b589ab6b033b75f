import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'tls-cbc-offered',
  group: 'transport',
  severity: 'INFO',
  cwe: 327,
  title: 'CBC cipher suites enabled with TLS 1.2',
  why: 'The server accepts CBC cipher suites with TLS 1.2. Padding-oracle attacks such as Lucky 13 and POODLE for TLS target this mode, and an attacker profits from the next implementation error. No such error is known here, and current clients do not need these suites. The evidence lists the suites that were negotiated.',
  fix: 'Offer only AES-GCM and ChaCha20-Poly1305 suites once no old client needs CBC. Use the "intermediate" configuration of ssl-config.mozilla.org for your server.',
  recipe: { set: 'TLS suites' },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html',
    'https://www.rfc-editor.org/rfc/rfc9325',
    'https://ssl-config.mozilla.org/',
    'https://cwe.mitre.org/data/definitions/327.html',
  ],
  needs: ['tls'],

  *run({ tls }) {
    const agreed = (tls?.agreed('cbc') ?? []).filter((line) => line.endsWith('TLS 1.2'));
    if (tls && agreed.length > 0) yield { evidence: agreed.join('\n'), url: tls.url };
  },

  examples: [
    { name: 'CBC with TLS 1.2', given: { tls: { cbc: { suite: 0xc013 } } }, fails: 1 },
    { name: 'CBC with TLS 1.0 (the only mode there)', given: { tls: { tls10: { suite: 0xc013 } } }, fails: 0 },
    { name: 'TLS 1.2 and 1.3 with secure suites', given: {}, fails: 0 },
  ],
});
