import { definePassiveCheck } from '../../check.ts';
import { httpsUrl } from '../../evidence/tls/https.ts';

/** Certificates with these names were installed on machines together with their keys. */
const KNOWN_BAD = /^CN=(?:Superfish, Inc\.|eDellRoot|DSDTestProvider|SecurityService Root CA)$/m;

export default definePassiveCheck({
  id: 'cert-known-bad-ca',
  group: 'certificate',
  severity: 'CRITICAL',
  cwe: 295,
  title: 'The certificate comes from an authority whose key is public',
  why: 'Its private key was shipped with software: anybody can issue certificates in its name, and this site sits behind one.',
  fix: 'Get a certificate from a public authority, and find out what put this one in its place.',
  references: ['https://www.kb.cert.org/vuls/id/529496', 'https://www.kb.cert.org/vuls/id/870761'],
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
      name: 'a name that only contains it',
      given: { https: { certificate: { issuer: 'CN=Not eDellRoot Today' } } },
      fails: 0,
    },
    { name: 'a good certificate', given: {}, fails: 0 },
  ],
});
