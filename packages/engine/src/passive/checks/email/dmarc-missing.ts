import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'dmarc-missing',
  group: 'email',
  severity: 'MEDIUM',
  cwe: 290,
  title: 'DMARC record missing',
  why: 'The domain publishes no DMARC policy. SPF checks only the envelope sender, which recipients do not see, so an attacker can send phishing mail with your domain in the From header and have it delivered. We queried TXT at _dmarc for the domain and its parents.',
  fix: 'Publish a TXT record at _dmarc. Start with v=DMARC1; p=none; rua=mailto:… to collect reports, then move to p=quarantine and p=reject.',
  references: [
    'https://www.rfc-editor.org/rfc/rfc9989',
    'https://www.rfc-editor.org/rfc/rfc7489',
    'https://cwe.mitre.org/data/definitions/290.html',
  ],
  needs: ['dmarc'],

  *run({ dmarc }) {
    if (dmarc?.foundAt === null) yield { evidence: `No DMARC record at _dmarc.${dmarc.domain} or its parent domains` };
  },

  examples: [
    { name: 'no record', given: { dns: { dmarc: { foundAt: null, records: [] } } }, fails: 1 },
    { name: 'valid record', given: {}, fails: 0 },
    {
      name: 'record of the registry (public suffix)',
      given: { dns: { dmarc: { foundAt: 'example', records: ['v=DMARC1; p=reject; psd=y'] } } },
      fails: 0,
    },
    { name: 'target without a hostname', given: { dns: null }, fails: 0 },
  ],
});
