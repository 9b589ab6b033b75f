import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'mta-sts-missing',
  group: 'email',
  severity: 'LOW',
  cwe: 319,
  title: 'Mail to the domain need not be encrypted',
  why: 'Whoever stands between two mail servers can keep them from encrypting, and read along.',
  fix: 'Publish an MTA-STS policy at mta-sts.<domain>, first with mode: testing, and the TXT record at _mta-sts.',
  references: ['https://www.rfc-editor.org/rfc/rfc8461'],
  needs: ['mtaSts'],

  *run({ mtaSts }) {
    if (!mtaSts) return;
    const { domain, records, policy } = mtaSts;
    if (records.length === 0) yield { evidence: `No TXT record at _mta-sts.${domain}` };
    else if (policy && 'mode' in policy && policy.mode === 'none') yield { evidence: 'mode: none' };
  },

  examples: [
    { name: 'no record', given: { dns: { mtaSts: { records: [], policy: null } } }, fails: 1 },
    {
      name: 'a policy that is switched off',
      given: { dns: { mtaSts: { policy: { mode: 'none', mx: [], maxAge: 86_400 } } } },
      fails: 1,
    },
    { name: 'a policy', given: {}, fails: 0 },
    { name: 'a policy that nobody could look at', given: { dns: { mtaSts: { policy: null } } }, fails: 0 },
    { name: 'a domain without mail', given: { dns: { mtaSts: null } }, fails: 0 },
  ],
});
