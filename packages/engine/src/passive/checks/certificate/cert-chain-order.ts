import { httpsUrl } from '../../../evidence/tls/https.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'cert-chain-order',
  group: 'certificate',
  severity: 'INFO',
  cwe: null,
  title: 'Certificate chain in wrong order or with the root included',
  why: 'The server sends its certificates in the wrong order, or includes the root certificate. Most clients sort the chain themselves, but some older TLS libraries reject it. Clients ignore a root that the server sends, so it only makes the handshake larger.',
  fix: 'Send the leaf certificate first, followed by each issuer in turn. Remove the root certificate from the file.',
  references: [
    'https://www.rfc-editor.org/rfc/rfc5246#section-7.4.2',
    'https://www.rfc-editor.org/rfc/rfc8446#section-4.4.2',
  ],
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
      name: 'two intermediates in the wrong order',
      given: { https: { issuers: [{ subject: 'CN=Upper', issuer: 'CN=Root' }, {}] } },
      fails: 1,
    },
    {
      name: 'root included',
      given: { https: { issuers: [{}, { subject: 'CN=Good Root', isSelfSigned: true }] } },
      fails: 1,
    },
    {
      name: 'order not observable',
      given: { https: { isChainAsSent: false, issuers: [{}, { subject: 'CN=Good Root', isSelfSigned: true }] } },
      fails: 0,
    },
    { name: 'single certificate', given: { https: { issuers: [] } }, fails: 0 },
    { name: 'valid certificate', given: {}, fails: 0 },
  ],
});
