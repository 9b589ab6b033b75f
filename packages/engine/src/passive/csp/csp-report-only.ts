import { definePassiveCheck } from '../../check.ts';
import { policyLines } from '../../evidence/policies.ts';
import { withPolicy } from '../given-policies.ts';

const NAME = 'content-security-policy-report-only';

export default definePassiveCheck({
  id: 'csp-report-only',
  group: 'csp',
  severity: 'INFO',
  cwe: null,
  title: 'A second Content-Security-Policy is only tried out',
  why: 'Beside the policy in force there is one that stops nothing and only reports. That is the right way to prepare a stricter one, if somebody reads the reports.',
  fix: 'When the reports show nothing more that the site needs, send this policy as Content-Security-Policy.',
  references: ['https://www.w3.org/TR/CSP3/#cspro-header'],
  needs: ['policies'],

  *run({ policies: { enforced, reportOnly } }) {
    if (enforced.length > 0 && reportOnly.length > 0) yield { evidence: policyLines(reportOnly, NAME) };
  },

  examples: [
    {
      name: 'beside one in force',
      given: { headers: { 'content-security-policy': "img-src 'self'", [NAME]: "default-src 'self'" } },
      fails: 1,
    },
    {
      name: 'alone, which another check judges',
      given: { headers: { [NAME]: "default-src 'self'" } },
      fails: 0,
    },
    { name: 'only one in force', given: withPolicy("default-src 'self'"), fails: 0 },
  ],
});
