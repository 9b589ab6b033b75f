import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'tls-forward-secrecy-absent',
  group: 'transport',
  severity: 'MEDIUM',
  cwe: 326,
  title: 'TLS key exchange without forward secrecy',
  why: 'The server supports only static RSA key exchange, which has no forward secrecy. An attacker who records traffic and later obtains the private key decrypts all of it. The evidence lists the suites that were negotiated; all ECDHE and DHE suites were refused.',
  fix: 'Enable ECDHE suites and prefer them, and enable TLS 1.3. Use the "intermediate" configuration of ssl-config.mozilla.org for your server.',
  recipe: { set: 'TLS suites' },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/09-Testing_for_Weak_Cryptography/01-Testing_for_Weak_Transport_Layer_Security',
    'https://www.rfc-editor.org/rfc/rfc9325',
    'https://ssl-config.mozilla.org/',
    'https://cwe.mitre.org/data/definitions/326.html',
  ],
  needs: ['tls'],

  *run({ tls }) {
    if (!tls || tls.speaks('tls13') || tls.agreed('forwardSecret').length > 0) return;
    const agreed = tls.agreed('staticRsa');
    if (agreed.length === 0) return;
    // Only an explicit refusal of forward-secret suites proves that there are none.
    tls.requireAnswers('tls13', 'forwardSecret');
    if (tls.refuses('forwardSecret')) yield { evidence: agreed.join('\n'), url: tls.url };
  },

  examples: [
    {
      name: 'RSA key exchange only',
      given: { tls: { tls13: 'refused', tls12: { suite: 0x009c }, forwardSecret: 'refused' } },
      fails: 1,
    },
    {
      name: 'no reply to the forward-secret handshake',
      given: {
        tls: {
          tls13: 'refused',
          tls12: { suite: 0x009c },
          forwardSecret: { outcome: 'SILENT', version: null },
        },
      },
      fails: 0,
    },
    {
      name: 'RSA and ECDHE key exchange',
      given: { tls: { tls13: 'refused', staticRsa: { suite: 0x009c } } },
      fails: 0,
    },
    { name: 'TLS 1.2 and 1.3 with secure suites', given: {}, fails: 0 },
  ],
});
