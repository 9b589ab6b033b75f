import { helloTo } from '../../../evidence/tls/tls.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'tls-compression',
  group: 'transport',
  severity: 'MEDIUM',
  cwe: 310,
  title: 'CRIME: TLS compression enabled',
  why: "The server compresses TLS connections. An attacker who can make a visitor's browser send requests infers cookies from the length of the encrypted records (CRIME). The evidence shows the compression method that was negotiated.",
  fix: 'Disable TLS compression (SSLCompression off in Apache) and update the TLS library. Verify that openssl s_client reports Compression: NONE.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/09-Testing_for_Weak_Cryptography/01-Testing_for_Weak_Transport_Layer_Security',
    'https://www.rfc-editor.org/rfc/rfc7457',
    'https://www.rfc-editor.org/rfc/rfc9325',
    'https://cwe.mitre.org/data/definitions/310.html',
  ],
  needs: ['tls'],

  *run({ tls }) {
    const compression = tls && helloTo(tls, 'compression')?.compression;
    if (compression) yield { evidence: `Compression method ${compression}`, url: tls.url };
  },

  examples: [
    { name: 'DEFLATE', given: { tls: { compression: { suite: 0xc02f, compression: 1 } } }, fails: 1 },
    { name: 'TLS 1.2 and 1.3 with secure suites', given: {}, fails: 0 },
  ],
});
