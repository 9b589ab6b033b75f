import { definePassiveCheck } from '../../check.ts';
import { httpsUrl } from '../../evidence/tls/https.ts';

const PLACEHOLDER = /CN=(?:Kubernetes Ingress Controller Fake Certificate|TRAEFIK DEFAULT CERT|.*snakeoil)/i;

export default definePassiveCheck({
  id: 'cert-default-fake',
  group: 'certificate',
  severity: 'MEDIUM',
  cwe: 295,
  title: 'The server shows the certificate that its software came with',
  why: 'The proxy in front of this site has no certificate for this name and answers with a placeholder.',
  fix: 'Configure a certificate for this name in the ingress or proxy (tls: in a Kubernetes Ingress, a certificate resolver in Traefik).',
  references: [
    'https://kubernetes.github.io/ingress-nginx/user-guide/tls/',
    'https://doc.traefik.io/traefik/https/tls/',
  ],
  needs: ['https'],

  *run({ https }) {
    if (!https || !PLACEHOLDER.test(https.certificate.subject)) return;
    yield { evidence: https.certificate.subject, url: httpsUrl(https) };
  },

  examples: [
    {
      name: 'Kubernetes',
      given: { https: { certificate: { subject: 'O=Acme Co\nCN=Kubernetes Ingress Controller Fake Certificate' } } },
      fails: 1,
    },
    { name: 'Traefik', given: { https: { certificate: { subject: 'CN=TRAEFIK DEFAULT CERT' } } }, fails: 1 },
    { name: 'Debian', given: { https: { certificate: { subject: 'CN=ssl-cert-snakeoil' } } }, fails: 1 },
    { name: 'a site about Traefik', given: { https: { certificate: { subject: 'CN=traefik.example' } } }, fails: 0 },
    { name: 'a good certificate', given: {}, fails: 0 },
  ],
});
