import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'dns-dnssec-bogus',
  group: 'dns',
  severity: 'HIGH',
  cwe: 345,
  title: 'The signatures of the zone are wrong',
  why: 'Name servers that check signatures refuse to answer: for all their users the domain does not exist, and its mail is not delivered.',
  fix: 'Sign the zone anew and compare the DS record at the registrar with its keys; remove the DS record if the zone is no longer signed.',
  references: ['https://www.rfc-editor.org/rfc/rfc4035#section-5', 'https://dnsviz.net/'],
  needs: ['dnssec'],

  *run({ dnssec }) {
    if (dnssec?.state !== 'BOGUS') return;
    yield { evidence: `SOA ${dnssec.domain}: SERVFAIL when signatures are checked, an answer when they are not` };
  },

  examples: [
    { name: 'an answer that is refused when it is checked', given: { dns: { dnssec: { state: 'BOGUS' } } }, fails: 1 },
    { name: 'a signed zone', given: {}, fails: 0 },
    { name: 'a zone without signatures', given: { dns: { dnssec: { state: 'INSECURE', hasDs: false } } }, fails: 0 },
  ],
});
