import type { Mail } from '../../../evidence/dns/mail.ts';
import { isCovered, type MtaSts } from '../../../evidence/dns/mta-sts.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

function* problemsOf({ records, policy }: MtaSts, { exchanges }: Mail): Generator<string> {
  if (records.length > 1) yield `${records.length} records found; senders ignore all of them`;
  if (!policy) return;
  if ('problem' in policy) return yield policy.problem;
  if (policy.mode === 'testing') yield 'mode: testing reports failures without enforcing TLS';
  if (policy.mode === 'none') return;
  const uncovered = exchanges.filter((exchange) => !isCovered(exchange, policy.mx));
  if (uncovered.length > 0) yield `the policy does not list ${uncovered.join(', ')}`;
}

const policy = (mode: string, ...mx: string[]) => ({ dns: { mtaSts: { policy: { mode, mx, maxAge: 86_400 } } } });

export default definePassiveCheck({
  id: 'mta-sts-invalid',
  group: 'email',
  severity: 'LOW',
  cwe: 319,
  title: 'MTA-STS policy invalid or not enforced',
  why: 'The domain announces MTA-STS, but its record or policy is invalid, does not list every mail server, or is in testing mode. Sending servers then fall back to opportunistic TLS, and an attacker on the path can strip encryption (STARTTLS downgrade) and read the mail. A policy in enforce mode that omits a mail server blocks delivery to it. The evidence lists each problem.',
  fix: 'Serve https://mta-sts.<domain>/.well-known/mta-sts.txt with a valid certificate, list every MX host in it, and set mode: enforce. Change the id in the TXT record after each change of the policy, so that senders fetch it again.',
  references: ['https://www.rfc-editor.org/rfc/rfc8461#section-3', 'https://cwe.mitre.org/data/definitions/319.html'],
  needs: ['mtaSts', 'mail'],

  *run({ mtaSts, mail }) {
    if (!mtaSts || !mail) return;
    const problems = [...problemsOf(mtaSts, mail)];
    if (problems.length > 0) yield { evidence: [...mtaSts.records, ...problems].join('\n') };
  },

  examples: [
    {
      name: 'policy not found',
      given: { dns: { mtaSts: { policy: { problem: 'status 404' } } } },
      fails: 1,
    },
    { name: 'MX host not listed', given: policy('enforce', 'other.site.example'), fails: 1 },
    { name: 'wildcard for two labels', given: policy('enforce', '*.example'), fails: 1 },
    { name: 'testing mode', given: policy('testing', 'mx.site.example'), fails: 1 },
    {
      name: 'two records',
      given: { dns: { mtaSts: { records: ['v=STSv1; id=1', 'v=STSv1; id=2'], policy: null } } },
      fails: 1,
    },
    { name: 'wildcard for one label', given: policy('enforce', '*.site.example'), fails: 0 },
    { name: 'mode: none (mta-sts-missing)', given: policy('none'), fails: 0 },
    { name: 'policy that could not be fetched', given: { dns: { mtaSts: { policy: null } } }, fails: 0 },
    { name: 'no record', given: { dns: { mtaSts: { records: [], policy: null } } }, fails: 0 },
  ],
});
