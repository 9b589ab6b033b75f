import { definePassiveCheck } from '../../check.ts';
import type { Mail } from '../../evidence/dns/mail.ts';
import { isCovered, type MtaSts } from '../../evidence/dns/mta-sts.ts';

function* problemsOf({ records, policy }: MtaSts, { exchanges }: Mail): Generator<string> {
  if (records.length > 1) yield `there are ${records.length} records, and so none of them counts`;
  if (!policy) return;
  if ('problem' in policy) return yield policy.problem;
  if (policy.mode === 'testing') yield 'mode: testing only reports';
  if (policy.mode === 'none') return;
  const uncovered = exchanges.filter((exchange) => !isCovered(exchange, policy.mx));
  if (uncovered.length > 0) yield `the policy does not name ${uncovered.join(', ')}`;
}

const policy = (mode: string, ...mx: string[]) => ({ dns: { mtaSts: { policy: { mode, mx, maxAge: 86_400 } } } });

export default definePassiveCheck({
  id: 'mta-sts-invalid',
  group: 'email',
  severity: 'LOW',
  cwe: 319,
  title: 'The MTA-STS policy does not protect mail',
  why: 'Servers that send mail heed a policy only if its record, its certificate and its text are right; one that leaves out a mail server keeps mail away from it.',
  fix: 'Serve the policy with a valid certificate, name all mail servers of the MX records in it, and set mode: enforce.',
  references: ['https://www.rfc-editor.org/rfc/rfc8461#section-3'],
  needs: ['mtaSts', 'mail'],

  *run({ mtaSts, mail }) {
    if (!mtaSts || !mail) return;
    const problems = [...problemsOf(mtaSts, mail)];
    if (problems.length > 0) yield { evidence: [...mtaSts.records, ...problems].join('\n') };
  },

  examples: [
    {
      name: 'a policy that is not there',
      given: { dns: { mtaSts: { policy: { problem: 'status 404' } } } },
      fails: 1,
    },
    { name: 'a mail server that it leaves out', given: policy('enforce', 'other.site.example'), fails: 1 },
    { name: 'an asterisk for two labels', given: policy('enforce', '*.example'), fails: 1 },
    { name: 'testing', given: policy('testing', 'mx.site.example'), fails: 1 },
    {
      name: 'two records',
      given: { dns: { mtaSts: { records: ['v=STSv1; id=1', 'v=STSv1; id=2'], policy: null } } },
      fails: 1,
    },
    { name: 'an asterisk for one label', given: policy('enforce', '*.site.example'), fails: 0 },
    { name: 'switched off, which is another finding', given: policy('none'), fails: 0 },
    { name: 'a policy that nobody could look at', given: { dns: { mtaSts: { policy: null } } }, fails: 0 },
    { name: 'no record', given: { dns: { mtaSts: { records: [], policy: null } } }, fails: 0 },
  ],
});
