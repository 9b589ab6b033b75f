import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'tls-1-1',
  group: 'transport',
  severity: 'MEDIUM',
  cwe: 326,
  title: 'The server still speaks TLS 1.1',
  why: 'TLS 1.0 and 1.1 rest on MD5 and SHA-1 and know no modern cipher. Browsers have given them up; what still falls back to them can be attacked.',
  fix: 'Allow only TLS 1.2 and 1.3: ssl_protocols TLSv1.2 TLSv1.3; in nginx, SSLProtocol -all +TLSv1.2 +TLSv1.3 in Apache; on a CDN, set the minimum version to 1.2.',
  recipe: { set: 'TLS versions' },
  references: ['https://www.rfc-editor.org/rfc/rfc8996', 'https://ssl-config.mozilla.org/'],
  needs: ['tls'],

  *run({ tls }) {
    // With TLS 1.0 it is part of that finding.
    if (tls?.speaks('tls11') && !tls.speaks('tls10')) yield { evidence: tls.evidenceOf('tls11'), url: tls.url };
  },

  examples: [
    { name: 'TLS 1.1', given: { tls: { tls11: { suite: 0x002f } } }, fails: 1 },
    {
      name: 'TLS 1.0 as well, which says it for both',
      given: { tls: { tls10: { suite: 0x002f }, tls11: { suite: 0x002f } } },
      fails: 0,
    },
    { name: 'TLS 1.2 and 1.3 with good suites', given: {}, fails: 0 },
  ],
});
