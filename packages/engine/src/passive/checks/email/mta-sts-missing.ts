import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'mta-sts-missing',
  group: 'email',
  severity: 'LOW',
  cwe: 319,
  title: 'MTA-STS not configured: mail can be delivered without TLS',
  why: 'The domain has no active MTA-STS policy, so servers that send mail to it use TLS only if it happens to work. An attacker on the path can strip STARTTLS or present any certificate and read or change the mail. We found no TXT record at _mta-sts, or a policy with mode: none.',
  fix: 'Publish a policy at https://mta-sts.<domain>/.well-known/mta-sts.txt, first with mode: testing, and the TXT record v=STSv1; id=… at _mta-sts. Set mode: enforce once the TLS-RPT reports are clean.',
  references: ['https://www.rfc-editor.org/rfc/rfc8461', 'https://cwe.mitre.org/data/definitions/319.html'],
  needs: ['mtaSts'],

  *run({ mtaSts }) {
    if (!mtaSts) return;
    const { domain, records, policy } = mtaSts;
    if (records.length === 0) yield { evidence: `No MTA-STS record at _mta-sts.${domain}` };
    else if (policy && 'mode' in policy && policy.mode === 'none')
      yield { evidence: 'The MTA-STS policy says mode: none' };
  },

  examples: [
    { name: 'no record', given: { dns: { mtaSts: { records: [], policy: null } } }, fails: 1 },
    {
      name: 'mode: none',
      given: { dns: { mtaSts: { policy: { mode: 'none', mx: [], maxAge: 86_400 } } } },
      fails: 1,
    },
    { name: 'policy in enforce mode', given: {}, fails: 0 },
    { name: 'policy that could not be fetched', given: { dns: { mtaSts: { policy: null } } }, fails: 0 },
    { name: 'domain without mail', given: { dns: { mtaSts: null } }, fails: 0 },
  ],
});
