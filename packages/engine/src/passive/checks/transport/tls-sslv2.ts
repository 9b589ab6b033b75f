import { helloTo } from '../../../evidence/tls/tls.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'tls-sslv2',
  group: 'transport',
  severity: 'CRITICAL',
  cwe: 326,
  title: 'DROWN: SSL 2.0 enabled',
  why: 'The server accepts SSL 2.0, which has been broken since the 1990s. An attacker can use one server that supports it to decrypt modern TLS connections that use the same key (DROWN). The evidence shows the SSL 2.0 ServerHello.',
  fix: 'Disable SSL 2.0 on every web and mail server that uses this key. Generate a new key, because recorded traffic of the old one may already be decrypted.',
  recipe: { set: 'TLS versions' },
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/09-Testing_for_Weak_Cryptography/01-Testing_for_Weak_Transport_Layer_Security',
    'https://www.rfc-editor.org/rfc/rfc6176',
    'https://drownattack.com/',
    'https://cwe.mitre.org/data/definitions/326.html',
  ],
  needs: ['tls'],

  *run({ tls }) {
    const answer = tls && helloTo(tls, 'ssl2');
    if (!answer) return;
    if (answer.suite) yield { evidence: 'SSL 2.0 ServerHello with ciphers', url: tls.url };
    else yield { evidence: 'SSL 2.0 ServerHello without ciphers', url: tls.url, severity: 'HIGH' };
  },

  examples: [
    { name: 'SSL 2.0 with ciphers', given: { tls: { ssl2: { suite: 1 } } }, fails: 1 },
    { name: 'SSL 2.0 without ciphers', given: { tls: { ssl2: { suite: 0 } } }, fails: 1, severity: 'HIGH' },
    { name: 'alert', given: {}, fails: 0 },
    { name: 'closed connection', given: { tls: { ssl2: { outcome: 'CLOSED', version: null } } }, fails: 0 },
  ],
});
