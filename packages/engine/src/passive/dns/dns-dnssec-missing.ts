import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'dns-dnssec-missing',
  group: 'dns',
  severity: 'LOW',
  cwe: 345,
  title: 'The zone is not signed',
  why: 'Without DNSSEC a forged answer cannot be told from a true one: visitors and mail can be led elsewhere.',
  fix: 'Sign the zone at your DNS provider, and give the DS record to the registrar.',
  references: ['https://www.rfc-editor.org/rfc/rfc9364'],
  needs: ['dnssec'],

  *run({ dnssec }) {
    if (dnssec?.state !== 'INSECURE' || dnssec.hasDs) return;
    const keys = dnssec.hasKeys ? '; it has keys, but the zone above does not vouch for them' : '';
    yield { evidence: `No DS record for ${dnssec.domain}${keys}` };
  },

  examples: [
    {
      name: 'a zone without signatures',
      given: { dns: { dnssec: { state: 'INSECURE', hasDs: false, hasKeys: false } } },
      fails: 1,
    },
    {
      name: 'keys that nobody vouches for',
      given: { dns: { dnssec: { state: 'INSECURE', hasDs: false } } },
      fails: 1,
    },
    { name: 'a signed zone', given: {}, fails: 0 },
    {
      name: 'signatures of a kind that the name server does not know',
      given: { dns: { dnssec: { state: 'INSECURE' } } },
      fails: 0,
    },
    {
      name: 'signatures that are wrong, which is another finding',
      given: { dns: { dnssec: { state: 'BOGUS' } } },
      fails: 0,
    },
    { name: 'a site without a name', given: { dns: null }, fails: 0 },
  ],
});
