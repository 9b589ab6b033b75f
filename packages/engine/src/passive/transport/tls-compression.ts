import { definePassiveCheck } from '../../check.ts';
import { helloTo } from '../../evidence/tls/tls.ts';

export default definePassiveCheck({
  id: 'tls-compression',
  group: 'transport',
  severity: 'MEDIUM',
  cwe: 310,
  title: 'The server compresses TLS connections',
  why: 'Compression lets an attacker who can make a visitor send requests guess cookies from the length of what goes over the line (CRIME).',
  fix: 'Switch TLS compression off and update the TLS library: SSLCompression off in Apache.',
  references: ['https://www.rfc-editor.org/rfc/rfc7457', 'https://www.rfc-editor.org/rfc/rfc9325'],
  needs: ['tls'],

  *run({ tls }) {
    const compression = tls && helloTo(tls, 'compression')?.compression;
    if (compression) yield { evidence: `Compression method ${compression}`, url: tls.url };
  },

  examples: [
    { name: 'DEFLATE', given: { tls: { compression: { suite: 0xc02f, compression: 1 } } }, fails: 1 },
    { name: 'TLS 1.2 and 1.3 with good suites', given: {}, fails: 0 },
  ],
});
