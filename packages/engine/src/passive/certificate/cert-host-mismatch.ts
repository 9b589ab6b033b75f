import { definePassiveCheck } from '../../check.ts';
import { httpsUrl } from '../../evidence/tls/https.ts';

export default definePassiveCheck({
  id: 'cert-host-mismatch',
  group: 'certificate',
  severity: 'CRITICAL',
  cwe: 297,
  title: 'The certificate is for another name',
  why: 'Browsers stop every visitor with a warning, because this certificate says nothing about who runs this site.',
  fix: 'Get a certificate that has this name among its alternative names, or fix which certificate the server chooses for it (SNI).',
  references: ['https://www.rfc-editor.org/rfc/rfc9525'],
  needs: ['https'],

  *run({ https }) {
    if (!https || https.isForHost) return;
    const { dnsNames, addresses } = https.certificate;
    const names = [...dnsNames, ...addresses].slice(0, 20).join(', ') || '(none)';
    yield { evidence: `${https.host} is not among the alternative names: ${names}`, url: httpsUrl(https) };
  },

  examples: [
    {
      name: 'another name',
      given: { https: { isForHost: false, certificate: { dnsNames: ['other.example'] } } },
      fails: 1,
    },
    {
      name: 'no alternative names, whatever the common name says',
      given: { https: { isForHost: false, certificate: { dnsNames: [] } } },
      fails: 1,
    },
    {
      name: 'an address among the alternative names',
      given: { https: { host: '192.0.2.1', certificate: { addresses: ['192.0.2.1'] } } },
      fails: 0,
    },
    {
      name: 'a name in other letters, as it is written in DNS',
      given: { https: { host: 'xn--bcher-kva.example' } },
      fails: 0,
    },
    { name: 'a good certificate', given: {}, fails: 0 },
  ],
});
