import { definePassiveCheck } from '../../check.ts';
import { httpsUrl } from '../../evidence/tls/https.ts';

export default definePassiveCheck({
  id: 'cert-chain-order',
  group: 'certificate',
  severity: 'INFO',
  cwe: null,
  title: 'The certificates are sent in a wrong order, or with one too many',
  why: 'Most programs put them in order themselves; some do not. A root that is sent is ignored and only costs bytes.',
  fix: 'Send the certificate of the site first, then each issuer in turn, and leave the root out.',
  references: ['https://www.rfc-editor.org/rfc/rfc5246#section-7.4.2'],
  needs: ['https'],

  *run({ https }) {
    if (!https?.isChainAsSent) return;
    const { chain } = https;
    const isOrdered = chain.every(
      ({ issuer }, index) => index === chain.length - 1 || chain[index + 1]?.subject === issuer,
    );
    const hasRoot = chain.slice(1).some(({ isSelfSigned }) => isSelfSigned);
    if (isOrdered && !hasRoot) return;
    yield { evidence: chain.map(({ subject }, index) => `${index}: ${subject}`).join('\n'), url: httpsUrl(https) };
  },

  examples: [
    {
      name: 'two issuers the wrong way round',
      given: { https: { issuers: [{ subject: 'CN=Upper', issuer: 'CN=Root' }, {}] } },
      fails: 1,
    },
    {
      name: 'the root as well, which is harmless',
      given: { https: { issuers: [{}, { subject: 'CN=Good Root', isSelfSigned: true }] } },
      fails: 1,
    },
    {
      name: 'an order that could not be seen',
      given: { https: { isChainAsSent: false, issuers: [{}, { subject: 'CN=Good Root', isSelfSigned: true }] } },
      fails: 0,
    },
    { name: 'one certificate', given: { https: { issuers: [] } }, fails: 0 },
    { name: 'a good certificate', given: {}, fails: 0 },
  ],
});
