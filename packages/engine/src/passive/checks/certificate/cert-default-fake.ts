import { httpsUrl } from '../../../evidence/tls/https.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const PLACEHOLDER = /CN=(?:Kubernetes Ingress Controller Fake Certificate|TRAEFIK DEFAULT CERT|.*snakeoil)/i;

export default definePassiveCheck({
  id: 'cert-default-fake',
  group: 'certificate',
  severity: 'MEDIUM',
  cwe: 295,
  title: 'Proxy serves its default placeholder TLS certificate',
  why: 'The proxy or ingress controller has no certificate for this host name and presents the placeholder of its software. Browsers show a warning to every visitor. Users who click through it cannot detect a man-in-the-middle attack.',
  fix: 'Configure a certificate for this host name, for example tls in a Kubernetes Ingress or a certificate resolver in Traefik. Check that the secret with the certificate exists in the namespace of the Ingress.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/09-Testing_for_Weak_Cryptography/01-Testing_for_Weak_Transport_Layer_Security',
    'https://kubernetes.github.io/ingress-nginx/user-guide/tls/',
    'https://doc.traefik.io/traefik/https/tls/',
    'https://cwe.mitre.org/data/definitions/295.html',
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
    {
      name: 'host name that contains traefik',
      given: { https: { certificate: { subject: 'CN=traefik.example' } } },
      fails: 0,
    },
    { name: 'valid certificate', given: {}, fails: 0 },
  ],
});
