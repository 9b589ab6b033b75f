import { definePassiveCheck } from '../../check.ts';
import { httpsUrl } from '../../evidence/tls/https.ts';

export default definePassiveCheck({
  id: 'cert-chain-incomplete',
  group: 'certificate',
  severity: 'MEDIUM',
  cwe: 295,
  title: 'The server does not send all certificates of its chain',
  why: 'Browsers often find the missing one by themselves; other programs, phones and payment services among them, do not and refuse to connect.',
  fix: 'Configure the full chain: the file that ACME clients call fullchain.pem, without the root.',
  references: ['https://www.rfc-editor.org/rfc/rfc8446#section-4.4.2'],
  needs: ['https'],

  *run({ https }) {
    if (!https?.isIncomplete) return;
    const last = https.chain.at(-1);
    yield { evidence: `Nothing was sent from ${last?.issuer}, who issued ${last?.subject}`, url: httpsUrl(https) };
  },

  examples: [
    {
      name: 'trusted only with what the issuer publishes',
      given: { https: { untrusted: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', isIncomplete: true, issuers: [] } },
      fails: 1,
    },
    {
      name: 'not trusted at all',
      given: { https: { untrusted: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', issuers: [] } },
      fails: 0,
    },
    { name: 'a good certificate', given: {}, fails: 0 },
  ],
});
