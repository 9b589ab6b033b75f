import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'dns-dnssec-bogus',
  group: 'dns',
  severity: 'HIGH',
  cwe: 345,
  title: 'DNSSEC validation fails',
  why: 'The zone is signed, but its DNSSEC signatures do not validate. Validating resolvers, including the large public ones, answer SERVFAIL, so the site is unreachable and mail is undeliverable for their users. Users who switch to a resolver without validation lose the protection against forged DNS answers. The zone resolves with validation disabled and fails with it enabled.',
  fix: 'Re-sign the zone and make sure that the DS record at the registrar matches a published DNSKEY. If the zone is no longer signed, remove the DS record.',
  references: [
    'https://www.rfc-editor.org/rfc/rfc4035#section-5',
    'https://dnsviz.net/',
    'https://cwe.mitre.org/data/definitions/345.html',
  ],
  needs: ['dnssec'],

  *run({ dnssec }) {
    if (dnssec?.state !== 'BOGUS') return;
    yield { evidence: `SOA ${dnssec.domain}: SERVFAIL with DNSSEC validation, an answer without it` };
  },

  examples: [
    { name: 'answer that fails validation', given: { dns: { dnssec: { state: 'BOGUS' } } }, fails: 1 },
    { name: 'signed zone', given: {}, fails: 0 },
    { name: 'unsigned zone', given: { dns: { dnssec: { state: 'INSECURE', hasDs: false } } }, fails: 0 },
  ],
});
