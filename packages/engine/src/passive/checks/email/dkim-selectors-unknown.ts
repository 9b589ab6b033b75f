import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'dkim-selectors-unknown',
  group: 'email',
  severity: 'INFO',
  confidence: 'TENTATIVE',
  cwe: 290,
  title: 'No DKIM key found at common selectors',
  why: 'We found no DKIM key at the selectors that mail services commonly use. Mail without a DKIM signature fails DMARC as soon as it is forwarded, and it is easier for an attacker to spoof. Selectors cannot be listed, so the domain may sign with one that we did not try.',
  fix: 'Sign outgoing mail with DKIM (2048-bit RSA or Ed25519) if you do not yet. Otherwise no change is needed.',
  references: ['https://www.rfc-editor.org/rfc/rfc6376', 'https://cwe.mitre.org/data/definitions/290.html'],
  needs: ['dkim'],

  *run({ dkim }) {
    if (!dkim || dkim.keys.length > 0) return;
    yield { evidence: `No DKIM key at _domainkey.${dkim.domain} for the selectors ${dkim.selectors.join(', ')}` };
  },

  examples: [
    { name: 'no key', given: { dns: { dkim: { keys: [] } } }, fails: 1 },
    { name: 'key at a common selector', given: {}, fails: 0 },
    { name: 'domain without mail', given: { dns: { dkim: null } }, fails: 0 },
  ],
});
