import { httpsUrl } from '../../../evidence/tls/https.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

/** CAs that vendors preinstalled together with the private key. */
const KNOWN_BAD = /^CN=(?:Superfish, Inc\.|eDellRoot|DSDTestProvider|SecurityService Root CA)$/m;

export default definePassiveCheck({
  id: 'cert-known-bad-ca',
  group: 'certificate',
  severity: 'CRITICAL',
  cwe: 295,
  title: 'TLS certificate from a CA whose private key is public',
  why: 'The chain contains a CA whose private key was shipped with software, such as Superfish or eDellRoot. An attacker can issue certificates in its name for any host. On computers that trust this CA, they can intercept the traffic of the site.',
  fix: 'Replace the certificate with one from a public CA. Find and remove the software or proxy that installed this one.',
  references: [
    'https://www.kb.cert.org/vuls/id/529496',
    'https://www.kb.cert.org/vuls/id/870761',
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/09-Testing_for_Weak_Cryptography/01-Testing_for_Weak_Transport_Layer_Security',
    'https://cwe.mitre.org/data/definitions/295.html',
  ],
  needs: ['https'],

  *run({ https }) {
    const bad = https?.chain.find(({ issuer }) => KNOWN_BAD.test(issuer));
    if (https && bad) yield { evidence: `${bad.subject}, issued by ${bad.issuer}`, url: httpsUrl(https) };
  },

  examples: [
    { name: 'eDellRoot', given: { https: { certificate: { issuer: 'CN=eDellRoot' } } }, fails: 1 },
    {
      name: 'Superfish',
      given: { https: { certificate: { issuer: 'C=US\nO=Superfish, Inc.\nCN=Superfish, Inc.' } } },
      fails: 1,
    },
    {
      name: 'name that contains eDellRoot',
      given: { https: { certificate: { issuer: 'CN=Not eDellRoot Today' } } },
      fails: 0,
    },
    { name: 'valid certificate', given: {}, fails: 0 },
  ],
});
