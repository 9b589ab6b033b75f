import { versionLabel } from '../../../evidence/tls/tls.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'tls-ems-absent',
  group: 'transport',
  severity: 'INFO',
  cwe: 295,
  title: 'TLS extended master secret not supported',
  why: 'The server does not support the extended master secret extension (RFC 7627). A man in the middle can set up two sessions with the same keys (triple handshake attack), which breaks channel binding and client certificates. The evidence shows the TLS version of the handshake without it.',
  fix: 'Update the TLS library; every current one supports the extension. If a TLS-terminating load balancer is in front of the server, update that.',
  references: [
    'https://www.rfc-editor.org/rfc/rfc7627',
    'https://www.rfc-editor.org/rfc/rfc9325',
    'https://cwe.mitre.org/data/definitions/295.html',
  ],
  needs: ['tls'],

  *run({ tls }) {
    const hello = tls?.oldHello;
    if (hello && !hello.extensions.includes(23)) {
      yield {
        evidence: `No extended_master_secret in the ServerHello of ${versionLabel(hello.version)}`,
        url: tls.url,
      };
    }
  },

  examples: [
    { name: 'no extended_master_secret', given: { tls: { tls12: { suite: 0xc02f, extensions: [0xff01] } } }, fails: 1 },
    { name: 'TLS 1.3 only', given: { tls: { tls12: 'refused' } }, fails: 0 },
    { name: 'TLS 1.2 and 1.3 with secure suites', given: {}, fails: 0 },
  ],
});
