import { httpsUrl } from '../../../evidence/tls/https.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'cert-host-mismatch',
  group: 'certificate',
  severity: 'CRITICAL',
  cwe: 297,
  title: 'TLS certificate does not match the host name',
  why: 'The host name is not among the subject alternative names (SAN) of the certificate. Browsers block the site with a warning, and API clients refuse to connect. Users who click through the warning cannot detect a man-in-the-middle attack.',
  fix: 'Obtain a certificate with this host name in its subject alternative names. If one exists, correct the SNI configuration of the server or proxy, so that it selects that certificate.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html#use-correct-domain-names',
    'https://www.rfc-editor.org/rfc/rfc9525',
    'https://cwe.mitre.org/data/definitions/297.html',
  ],
  needs: ['https'],

  *run({ https }) {
    if (!https || https.isForHost) return;
    const { dnsNames, addresses } = https.certificate;
    const names = [...dnsNames, ...addresses].slice(0, 20).join(', ') || '(none)';
    yield { evidence: `${https.host} is not among the subject alternative names: ${names}`, url: httpsUrl(https) };
  },

  examples: [
    {
      name: 'other host name',
      given: { https: { isForHost: false, certificate: { dnsNames: ['other.example'] } } },
      fails: 1,
    },
    {
      name: 'common name only',
      given: { https: { isForHost: false, certificate: { dnsNames: [] } } },
      fails: 1,
    },
    {
      name: 'IP address among the SANs',
      given: { https: { host: '192.0.2.1', certificate: { addresses: ['192.0.2.1'] } } },
      fails: 0,
    },
    {
      name: 'internationalised host name',
      given: { https: { host: 'xn--bcher-kva.example' } },
      fails: 0,
    },
    { name: 'valid certificate', given: {}, fails: 0 },
  ],
});
