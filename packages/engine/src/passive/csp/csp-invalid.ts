import { definePassiveCheck } from '../../check.ts';
import { policyLines } from '../../evidence/policies.ts';
import { withMetaPolicy, withPolicy } from '../given-policies.ts';

const REPORTING = new Set(['report-uri', 'report-to']);

export default definePassiveCheck({
  id: 'csp-invalid',
  group: 'csp',
  severity: 'MEDIUM',
  cwe: 693,
  title: 'The Content-Security-Policy does not say what was meant',
  why: 'A policy without directives restricts nothing. Of a directive that is there twice browsers take the first and drop the second, so what was added later has no effect.',
  fix: 'Write each directive once, with all its sources, separated by semicolons. Look where the policy is put together: often two places add to it.',
  references: ['https://www.w3.org/TR/CSP3/#parse-serialized-policy'],
  needs: ['policies'],

  *run({ policies: { enforced } }) {
    for (const policy of enforced) {
      const repeated = policy.repeated.filter((name) => !REPORTING.has(name));
      if (policy.directives.size === 0) yield { evidence: `${policyLines([policy])}(no directive that browsers heed)` };
      else if (repeated.length > 0) {
        yield { evidence: `there twice: ${[...new Set(repeated)].join(', ')}\n${policyLines([policy])}` };
      }
    }
  },

  examples: [
    { name: 'empty', given: withPolicy(''), fails: 1 },
    { name: 'semicolons only', given: withPolicy(' ; ;'), fails: 1 },
    { name: 'empty in the page', given: withMetaPolicy(''), fails: 1 },
    { name: 'only what browsers ignore in a page', given: withMetaPolicy("frame-ancestors 'self'"), fails: 1 },
    { name: 'a directive twice', given: withPolicy("script-src 'self'; Script-Src https://a.example"), fails: 1 },
    { name: 'letters that are not ASCII', given: withPolicy('script-src ’self’'), fails: 1 },
    { name: 'one in each of two policies', given: withPolicy("script-src 'self', script-src 'none'"), fails: 0 },
    { name: 'one in each of two headers', given: withPolicy("script-src 'self'", "script-src 'none'"), fails: 0 },
    { name: 'a comma at the end', given: withPolicy("script-src 'self',"), fails: 0 },
    {
      name: 'a directive for reports twice',
      given: withPolicy("img-src 'self'; report-uri /a; report-uri /b"),
      fails: 0,
    },
    { name: 'not sent', given: {}, fails: 0 },
  ],
});
