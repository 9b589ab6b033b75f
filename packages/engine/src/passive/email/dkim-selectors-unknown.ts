import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'dkim-selectors-unknown',
  group: 'email',
  severity: 'INFO',
  confidence: 'TENTATIVE',
  cwe: 290,
  title: 'No key that signs mail was found under the usual names',
  why: 'Mail without a DKIM signature fails DMARC when it is forwarded. The key may have a name that cannot be guessed: then all is well.',
  fix: 'Sign outgoing mail with DKIM, if it is not signed yet.',
  references: ['https://www.rfc-editor.org/rfc/rfc6376'],
  needs: ['dkim'],

  *run({ dkim }) {
    if (!dkim || dkim.keys.length > 0) return;
    yield { evidence: `No key at _domainkey.${dkim.domain} under: ${dkim.selectors.join(', ')}` };
  },

  examples: [
    { name: 'no key', given: { dns: { dkim: { keys: [] } } }, fails: 1 },
    { name: 'a key', given: {}, fails: 0 },
    { name: 'a domain without mail', given: { dns: { dkim: null } }, fails: 0 },
  ],
});
