import { versionLabel } from '../../../evidence/tls/tls.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'tls-renegotiation-insecure',
  group: 'transport',
  severity: 'MEDIUM',
  cwe: 757,
  title: 'Insecure TLS renegotiation',
  why: 'The server does not support secure renegotiation (RFC 5746). An attacker on the network path can inject a request of their own before that of a visitor, and the server treats both as one. The evidence shows the TLS version of the handshake without renegotiation_info.',
  fix: 'Update the TLS library: every release since 2010 supports renegotiation_info. If a TLS-terminating load balancer is in front of the server, update that.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/09-Testing_for_Weak_Cryptography/01-Testing_for_Weak_Transport_Layer_Security',
    'https://www.rfc-editor.org/rfc/rfc5746',
    'https://cwe.mitre.org/data/definitions/757.html',
  ],
  needs: ['tls'],

  *run({ tls }) {
    const hello = tls?.oldHello;
    if (hello && !hello.extensions.includes(0xff01)) {
      yield { evidence: `No renegotiation_info in the ServerHello of ${versionLabel(hello.version)}`, url: tls.url };
    }
  },

  examples: [
    { name: 'no renegotiation_info', given: { tls: { tls12: { suite: 0xc02f, extensions: [23] } } }, fails: 1 },
    { name: 'TLS 1.3 only', given: { tls: { tls12: 'refused' } }, fails: 0 },
    { name: 'TLS 1.2 and 1.3 with secure suites', given: {}, fails: 0 },
  ],
});
