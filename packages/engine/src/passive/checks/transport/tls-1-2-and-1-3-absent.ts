import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'tls-1-2-and-1-3-absent',
  group: 'transport',
  severity: 'HIGH',
  cwe: 326,
  title: 'TLS 1.2 and TLS 1.3 not supported',
  why: 'The server supports no current TLS version. Browsers refuse anything older than TLS 1.2, so most visitors cannot connect, and an attacker on the network path can use known attacks on the old versions against the rest. The evidence shows the versions that the server accepts.',
  fix: 'Update the TLS library and enable TLS 1.2 and 1.3. Disable the older versions in the same change.',
  recipe: { set: 'TLS versions' },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/09-Testing_for_Weak_Cryptography/01-Testing_for_Weak_Transport_Layer_Security',
    'https://www.rfc-editor.org/rfc/rfc8996',
    'https://ssl-config.mozilla.org/',
    'https://cwe.mitre.org/data/definitions/326.html',
  ],
  needs: ['tls'],

  *run({ tls }) {
    if (!tls || tls.spoken.length === 0 || tls.speaks('tls12', 'tls13')) return;
    tls.requireAnswers('tls12', 'tls13');
    yield { evidence: tls.evidenceOf(...tls.spoken), url: tls.url };
  },

  examples: [
    {
      name: 'TLS 1.0 only',
      given: { tls: { tls13: 'refused', tls12: 'refused', tls10: { suite: 0x002f } } },
      fails: 1,
    },
    { name: 'TLS 1.3 only', given: { tls: { tls12: 'refused' } }, fails: 0 },
    { name: 'TLS 1.2 only', given: { tls: { tls13: 'refused' } }, fails: 0 },
    {
      name: 'no TLS',
      given: { url: 'http://site.example/', tls: { tls13: 'refused', tls12: 'refused' } },
      fails: 0,
    },
    { name: 'TLS 1.2 and 1.3 with secure suites', given: {}, fails: 0 },
  ],
});
