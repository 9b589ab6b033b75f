import { definePassiveCheck } from '../../check.ts';
import { helloTo } from '../../evidence/tls/tls.ts';

export default definePassiveCheck({
  id: 'tls-sslv2',
  group: 'transport',
  severity: 'CRITICAL',
  cwe: 326,
  title: 'The server still speaks SSL 2',
  why: 'SSL 2 was broken decades ago. One server that speaks it with the same key lets an attacker decrypt even modern connections (DROWN).',
  fix: 'Switch SSL 2 off on every server and mail server that uses this key.',
  recipe: { set: 'TLS versions' },
  references: ['https://www.rfc-editor.org/rfc/rfc6176', 'https://drownattack.com/'],
  needs: ['tls'],

  *run({ tls }) {
    const answer = tls && helloTo(tls, 'ssl2');
    if (!answer) return;
    if (answer.suite) yield { evidence: 'SSL 2 SERVER-HELLO with ciphers', url: tls.url };
    else yield { evidence: 'SSL 2 SERVER-HELLO without ciphers', url: tls.url, severity: 'HIGH' };
  },

  examples: [
    { name: 'SSL 2 with ciphers', given: { tls: { ssl2: { suite: 1 } } }, fails: 1 },
    { name: 'SSL 2 that offers no cipher', given: { tls: { ssl2: { suite: 0 } } }, fails: 1, severity: 'HIGH' },
    { name: 'an alert instead', given: {}, fails: 0 },
    { name: 'a closed connection', given: { tls: { ssl2: { outcome: 'CLOSED', version: null } } }, fails: 0 },
  ],
});
