import { httpsUrl } from '../../../evidence/tls/https.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'cert-wildcard',
  group: 'certificate',
  severity: 'INFO',
  cwe: 295,
  title: 'Wildcard TLS certificate',
  why: 'The host name is covered by a wildcard certificate, whose private key is usually shared by several servers. An attacker who compromises the weakest of them can impersonate every host of the domain. The evidence shows the wildcard name.',
  fix: 'Issue separate certificates for servers with different trust levels. Keep the private key of the wildcard on as few servers as possible.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html#carefully-consider-the-use-of-wildcard-certificates',
    'https://cwe.mitre.org/data/definitions/295.html',
  ],
  needs: ['https'],

  *run({ https }) {
    if (!https?.isForHost || https.certificate.dnsNames.includes(https.host)) return;
    const wildcard = https.certificate.dnsNames.find(
      (name) => name.startsWith('*.') && https.host.endsWith(name.slice(1)),
    );
    if (wildcard) yield { evidence: `${https.host} is covered by ${wildcard}`, url: httpsUrl(https) };
  },

  examples: [
    {
      name: 'covered by a wildcard only',
      given: { https: { host: 'a.site.example', certificate: { dnsNames: ['*.site.example'] } } },
      fails: 1,
    },
    {
      name: 'host name listed beside the wildcard',
      given: { https: { certificate: { dnsNames: ['site.example', '*.site.example'] } } },
      fails: 0,
    },
    { name: 'valid certificate', given: {}, fails: 0 },
  ],
});
