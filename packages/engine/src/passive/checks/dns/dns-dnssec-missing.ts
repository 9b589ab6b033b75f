import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'dns-dnssec-missing',
  group: 'dns',
  severity: 'LOW',
  cwe: 345,
  title: 'DNSSEC not enabled',
  why: 'The zone is not signed with DNSSEC, so resolvers cannot tell a forged DNS answer from a genuine one. An attacker who poisons a cache or sits on the path redirects visitors and mail to servers of their own. The parent zone has no DS record for this domain.',
  fix: 'Enable DNSSEC signing at your DNS provider and publish the DS record at the registrar. Test the chain of trust at dnsviz.net before you rely on it.',
  references: ['https://www.rfc-editor.org/rfc/rfc9364', 'https://cwe.mitre.org/data/definitions/345.html'],
  needs: ['dnssec'],

  *run({ dnssec }) {
    if (dnssec?.state !== 'INSECURE' || dnssec.hasDs) return;
    const keys = dnssec.hasKeys ? '; the zone publishes DNSKEY records, but the parent has no DS record for them' : '';
    yield { evidence: `No DS record for ${dnssec.domain}${keys}` };
  },

  examples: [
    {
      name: 'unsigned zone',
      given: { dns: { dnssec: { state: 'INSECURE', hasDs: false, hasKeys: false } } },
      fails: 1,
    },
    {
      name: 'DNSKEY without DS record',
      given: { dns: { dnssec: { state: 'INSECURE', hasDs: false } } },
      fails: 1,
    },
    { name: 'signed zone', given: {}, fails: 0 },
    {
      name: 'signature algorithm that the resolver does not support',
      given: { dns: { dnssec: { state: 'INSECURE' } } },
      fails: 0,
    },
    {
      name: 'failed validation (dns-dnssec-bogus)',
      given: { dns: { dnssec: { state: 'BOGUS' } } },
      fails: 0,
    },
    { name: 'target without a hostname', given: { dns: null }, fails: 0 },
  ],
});
