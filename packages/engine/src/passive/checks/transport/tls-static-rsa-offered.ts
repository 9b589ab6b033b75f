import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'tls-static-rsa-offered',
  group: 'transport',
  severity: 'LOW',
  cwe: 326,
  title: 'Static RSA key exchange enabled in TLS (no forward secrecy)',
  why: 'The server accepts static RSA key exchange in addition to ECDHE. An attacker who records connections that use it and later obtains the private key decrypts them. The evidence lists the suites that were negotiated.',
  fix: 'Remove the suites that start with TLS_RSA (kRSA) from the cipher list once no old client needs them. Use the "intermediate" configuration of ssl-config.mozilla.org for your server.',
  recipe: { set: 'TLS suites' },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html',
    'https://www.rfc-editor.org/rfc/rfc9325',
    'https://ssl-config.mozilla.org/',
    'https://cwe.mitre.org/data/definitions/326.html',
  ],
  needs: ['tls'],

  *run({ tls }) {
    const agreed = tls?.agreed('staticRsa') ?? [];
    // Without any forward-secret suite, tls-forward-secrecy-absent reports it.
    const hasBetter = tls?.speaks('tls13') || (tls?.agreed('forwardSecret').length ?? 0) > 0;
    if (!tls || agreed.length === 0) return;
    if (hasBetter) yield { evidence: agreed.join('\n'), url: tls.url };
    else tls.requireAnswers('tls13', 'forwardSecret');
  },

  examples: [
    { name: 'RSA and ECDHE key exchange', given: { tls: { staticRsa: { suite: 0x009c } } }, fails: 1 },
    {
      name: 'RSA key exchange only (tls-forward-secrecy-absent)',
      given: { tls: { tls13: 'refused', tls12: { suite: 0x009c }, forwardSecret: 'refused' } },
      fails: 0,
    },
    { name: 'TLS 1.2 and 1.3 with secure suites', given: {}, fails: 0 },
  ],
});
