import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'tls-sslv3',
  group: 'transport',
  severity: 'HIGH',
  cwe: 326,
  title: 'The server still speaks SSL 3',
  why: 'Whoever can make a visitor fall back to SSL 3 can read cookies out of the connection (POODLE).',
  fix: 'Switch SSL 3 off: ssl_protocols TLSv1.2 TLSv1.3; in nginx, SSLProtocol -all +TLSv1.2 +TLSv1.3 in Apache.',
  recipe: { set: 'TLS versions' },
  references: ['https://www.rfc-editor.org/rfc/rfc7568', 'https://ssl-config.mozilla.org/'],
  needs: ['tls'],

  *run({ tls }) {
    if (tls?.speaks('ssl3')) yield { evidence: tls.evidenceOf('ssl3'), url: tls.url };
  },

  examples: [
    { name: 'SSL 3', given: { tls: { ssl3: { suite: 0x0035 } } }, fails: 1 },
    { name: 'TLS 1.0 in answer to SSL 3', given: { tls: { ssl3: { version: 0x0301, suite: 0x0035 } } }, fails: 0 },
    { name: 'TLS 1.2 and 1.3 with good suites', given: {}, fails: 0 },
  ],
});
