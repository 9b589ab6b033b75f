import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'tls-1-0',
  group: 'transport',
  severity: 'MEDIUM',
  cwe: 326,
  title: 'The server still speaks TLS 1.0',
  why: 'TLS 1.0 and 1.1 rest on MD5 and SHA-1 and know no modern cipher. Browsers have given them up; what still falls back to them can be attacked.',
  fix: 'Allow only TLS 1.2 and 1.3: ssl_protocols TLSv1.2 TLSv1.3; in nginx, SSLProtocol -all +TLSv1.2 +TLSv1.3 in Apache; on a CDN, set the minimum version to 1.2.',
  recipe: { set: 'TLS versions' },
  references: ['https://www.rfc-editor.org/rfc/rfc8996', 'https://ssl-config.mozilla.org/'],
  needs: ['tls'],

  *run({ tls }) {
    // Both come from one setting, and are one finding.
    if (tls?.speaks('tls10')) yield { evidence: tls.evidenceOf('tls10', 'tls11'), url: tls.url };
  },

  examples: [
    { name: 'TLS 1.0', given: { tls: { tls10: { suite: 0x002f } } }, fails: 1 },
    { name: 'TLS 1.0 and 1.1', given: { tls: { tls10: { suite: 0x002f }, tls11: { suite: 0x002f } } }, fails: 1 },
    { name: 'SSL 3 in answer to TLS 1.0', given: { tls: { tls10: { version: 0x0300, suite: 0x002f } } }, fails: 0 },
    { name: 'TLS 1.2 and 1.3 with good suites', given: {}, fails: 0 },
  ],
});
