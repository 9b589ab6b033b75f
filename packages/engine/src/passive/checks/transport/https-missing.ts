import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'https-missing',
  group: 'transport',
  severity: 'CRITICAL',
  cwe: 319,
  title: 'HTTPS not available',
  why: 'The site is served over plain HTTP and does not support TLS. An attacker on the network path can read and change everything between a visitor and the site, including passwords and session cookies. We tried a TLS handshake; the evidence shows how it failed.',
  fix: "Obtain a certificate (free and automated from an ACME CA such as Let's Encrypt), serve the site over HTTPS, and redirect HTTP to it. Then send Strict-Transport-Security (HSTS).",
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/09-Testing_for_Weak_Cryptography/03-Testing_for_Sensitive_Information_Sent_via_Unencrypted_Channels',
    'https://letsencrypt.org/getting-started/',
    'https://ssl-config.mozilla.org/',
    'https://cwe.mitre.org/data/definitions/319.html',
  ],
  needs: ['mainDocument', 'tls'],

  *run({ mainDocument, tls }) {
    if (!tls || mainDocument.url.protocol !== 'http:' || tls.spoken.length > 0) return;
    const outcomes = Object.values(tls.answers).map(({ outcome, alert }) =>
      alert === null ? outcome : `alert ${alert}`,
    );
    yield { evidence: `${tls.url}: ${[...new Set(outcomes)].join(', ') || 'connection refused'}` };
  },

  examples: [
    {
      name: 'port that does not answer with TLS',
      given: { url: 'http://site.example/', tls: { tls12: { outcome: 'GARBAGE', version: null }, tls13: 'refused' } },
      fails: 1,
    },
    { name: 'TLS next to HTTP', given: { url: 'http://site.example/', tls: {} }, fails: 0 },
    { name: 'HTTPS', given: {}, fails: 0 },
    { name: 'HTTP on a custom port', given: { url: 'http://site.example:8080/' }, fails: 0 },
  ],
});
