import { policyLines } from '../../../evidence/page/policies.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';
import { withMetaPolicy, withPolicy } from '../../example-policies.ts';

const REPORTING = new Set(['report-uri', 'report-to']);

export default definePassiveCheck({
  id: 'csp-invalid',
  group: 'csp',
  severity: 'MEDIUM',
  cwe: 693,
  title: 'CSP is empty or has duplicate directives',
  why: 'The policy contains no directive, or the same directive more than once. An empty policy restricts nothing. Browsers apply only the first of duplicate directives, so sources or restrictions in the later ones have no effect and may leave the page open to XSS.',
  fix: 'Write each directive once, with all its sources, separated by semicolons. Check every place that builds the header: duplicates often come from two of them, such as application and proxy.',
  references: [
    'https://www.w3.org/TR/CSP3/#parse-serialized-policy',
    'https://cheatsheetseries.owasp.org/cheatsheets/Content_Security_Policy_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/693.html',
  ],
  needs: ['policies'],

  *run({ policies: { enforced } }) {
    for (const policy of enforced) {
      const repeated = policy.repeated.filter((name) => !REPORTING.has(name));
      if (policy.directives.size === 0)
        yield { evidence: `${policyLines([policy])} (no directive that browsers apply)` };
      else if (repeated.length > 0) {
        yield { evidence: `duplicate directives: ${[...new Set(repeated)].join(', ')}\n${policyLines([policy])}` };
      }
    }
  },

  examples: [
    { name: 'empty policy', given: withPolicy(''), fails: 1 },
    { name: 'semicolons only', given: withPolicy(' ; ;'), fails: 1 },
    { name: 'empty meta policy', given: withMetaPolicy(''), fails: 1 },
    { name: 'meta policy with ignored directives only', given: withMetaPolicy("frame-ancestors 'self'"), fails: 1 },
    { name: 'duplicate directive', given: withPolicy("script-src 'self'; Script-Src https://a.example"), fails: 1 },
    { name: 'non-ASCII quotes', given: withPolicy('script-src ’self’'), fails: 1 },
    {
      name: 'same directive in two policies of one header',
      given: withPolicy("script-src 'self', script-src 'none'"),
      fails: 0,
    },
    { name: 'same directive in two headers', given: withPolicy("script-src 'self'", "script-src 'none'"), fails: 0 },
    { name: 'trailing comma', given: withPolicy("script-src 'self',"), fails: 0 },
    {
      name: 'duplicate report-uri',
      given: withPolicy("img-src 'self'; report-uri /a; report-uri /b"),
      fails: 0,
    },
    { name: 'no policy', given: {}, fails: 0 },
  ],
});
