import { policyLines } from '../../../evidence/page/policies.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';
import { withPolicy } from '../../example-policies.ts';

const NAME = 'content-security-policy-report-only';

export default definePassiveCheck({
  id: 'csp-report-only',
  group: 'csp',
  severity: 'INFO',
  cwe: null,
  title: 'CSP in report-only mode beside the enforced policy',
  why: 'Besides the enforced policy, the page sends Content-Security-Policy-Report-Only, which reports violations and blocks nothing. This is the recommended way to test a stricter policy. Until that policy is enforced, it gives no protection against XSS.',
  fix: 'Review the violation reports and fix or allow what the site needs. Then send the policy as Content-Security-Policy.',
  references: [
    'https://www.w3.org/TR/CSP3/#cspro-header',
    'https://cheatsheetseries.owasp.org/cheatsheets/Content_Security_Policy_Cheat_Sheet.html',
  ],
  needs: ['policies'],

  *run({ policies: { enforced, reportOnly } }) {
    if (enforced.length > 0 && reportOnly.length > 0) yield { evidence: policyLines(reportOnly, NAME) };
  },

  examples: [
    {
      name: 'beside an enforced policy',
      given: { headers: { 'content-security-policy': "img-src 'self'", [NAME]: "default-src 'self'" } },
      fails: 1,
    },
    {
      name: 'report-only alone, judged by another check',
      given: { headers: { [NAME]: "default-src 'self'" } },
      fails: 0,
    },
    { name: 'enforced policy only', given: withPolicy("default-src 'self'"), fails: 0 },
  ],
});
