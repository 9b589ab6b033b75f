import { httpsUrl } from '../../../evidence/tls/https.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'cert-chain-incomplete',
  group: 'certificate',
  severity: 'MEDIUM',
  cwe: 295,
  title: 'Incomplete certificate chain: intermediate certificate missing',
  why: 'The server does not send all intermediate certificates of its chain. Browsers often fetch the missing one themselves, but API clients, mobile apps and payment services do not and fail to connect. Users who disable certificate validation to work around this are open to man-in-the-middle attacks.',
  fix: 'Configure the full chain without the root, the file that ACME clients name fullchain.pem. Verify it with openssl s_client -connect host:443 -showcerts.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/09-Testing_for_Weak_Cryptography/01-Testing_for_Weak_Transport_Layer_Security',
    'https://www.rfc-editor.org/rfc/rfc8446#section-4.4.2',
    'https://cwe.mitre.org/data/definitions/295.html',
  ],
  needs: ['https'],

  *run({ https }) {
    if (!https?.isIncomplete) return;
    const last = https.chain.at(-1);
    yield { evidence: `Certificate of ${last?.issuer} missing, the issuer of ${last?.subject}`, url: httpsUrl(https) };
  },

  examples: [
    {
      name: 'trusted only with the intermediate that the CA publishes',
      given: { https: { untrusted: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', isIncomplete: true, issuers: [] } },
      fails: 1,
    },
    {
      name: 'untrusted chain',
      given: { https: { untrusted: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', issuers: [] } },
      fails: 0,
    },
    { name: 'valid certificate', given: {}, fails: 0 },
  ],
});
