import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'tls-alpn-h2-absent',
  group: 'transport',
  severity: 'INFO',
  cwe: null,
  title: 'HTTP/2 not supported (ALPN)',
  why: 'The server does not negotiate HTTP/2. This is not a vulnerability: pages with many resources load faster over HTTP/2. The evidence shows the protocol chosen by ALPN.',
  fix: 'Enable HTTP/2: http2 on; in nginx, Protocols h2 http/1.1 in Apache. On a CDN it is a setting of the site.',
  references: ['https://www.rfc-editor.org/rfc/rfc7301', 'https://www.rfc-editor.org/rfc/rfc9113'],
  needs: ['session', 'tls'],

  *run({ session, tls }) {
    if (tls && session && session.alpn !== 'h2')
      yield { evidence: `ALPN: ${session.alpn ?? '(none negotiated)'}`, url: tls.url };
  },

  examples: [
    { name: 'HTTP/1.1 negotiated', given: { https: { alpn: 'http/1.1' } }, fails: 1 },
    { name: 'no ALPN', given: { https: { alpn: null } }, fails: 1 },
    { name: 'HTTP/2 negotiated', given: {}, fails: 0 },
    { name: 'HTTP on a custom port', given: { url: 'http://site.example:8080/' }, fails: 0 },
  ],
});
