import { definePassiveCheck } from '../../check.ts';
import { httpsUrl } from '../../evidence/tls/https.ts';

export default definePassiveCheck({
  id: 'cert-wildcard',
  group: 'certificate',
  severity: 'INFO',
  cwe: 295,
  title: 'The certificate is a wildcard',
  why: 'One key serves every name of this level: the weakest of the machines that have it decides how safe all of them are.',
  fix: 'Give machines that do not belong together certificates of their own.',
  references: ['https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html'],
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
      name: 'covered by a wildcard alone',
      given: { https: { host: 'a.site.example', certificate: { dnsNames: ['*.site.example'] } } },
      fails: 1,
    },
    {
      name: 'a wildcard beside the name itself',
      given: { https: { certificate: { dnsNames: ['site.example', '*.site.example'] } } },
      fails: 0,
    },
    { name: 'a good certificate', given: {}, fails: 0 },
  ],
});
