import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'tls-alpn-h2-absent',
  group: 'transport',
  severity: 'INFO',
  cwe: null,
  title: 'The server does not speak HTTP/2',
  why: 'This is no weakness. Pages with many parts load faster over HTTP/2.',
  fix: 'Switch it on: http2 on; in nginx, Protocols h2 http/1.1 in Apache.',
  references: ['https://www.rfc-editor.org/rfc/rfc7301'],
  needs: ['session', 'tls'],

  *run({ session, tls }) {
    if (tls && session && session.alpn !== 'h2')
      yield { evidence: `ALPN: ${session.alpn ?? '(none chosen)'}`, url: tls.url };
  },

  examples: [
    { name: 'HTTP/1.1 chosen', given: { https: { alpn: 'http/1.1' } }, fails: 1 },
    { name: 'nothing chosen', given: { https: { alpn: null } }, fails: 1 },
    { name: 'HTTP/2 chosen', given: {}, fails: 0 },
    { name: 'a site on plain http at a port of its own', given: { url: 'http://site.example:8080/' }, fails: 0 },
  ],
});
