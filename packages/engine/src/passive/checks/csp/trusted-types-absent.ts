import { isSandboxedFrom, type Policy, policyLines } from '../../../evidence/page/policies.ts';
import { hasSource } from '../../../evidence/page/sources.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';
import { withPolicy } from '../../example-policies.ts';

const demandsTypes = ({ directives }: Policy) =>
  hasSource(directives.get('require-trusted-types-for') ?? [], "'script'");

export default definePassiveCheck({
  id: 'trusted-types-absent',
  group: 'csp',
  severity: 'INFO',
  cwe: 79,
  title: 'Trusted Types not enforced (DOM-based XSS)',
  why: 'The policy does not require Trusted Types, so scripts can pass strings to innerHTML and other DOM sinks. If such a string contains attacker-controlled input, the result is DOM-based cross-site scripting (XSS). With Trusted Types, the browser rejects plain strings at these sinks.',
  fix: "Send require-trusted-types-for 'script' in Content-Security-Policy-Report-Only and fix the reported sinks. Then add the directive to the enforced policy.",
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/DOM_based_XSS_Prevention_Cheat_Sheet.html',
    'https://www.w3.org/TR/trusted-types/',
    'https://web.dev/articles/trusted-types',
    'https://cwe.mitre.org/data/definitions/79.html',
  ],
  needs: ['policies'],

  *run({ policies: { enforced } }) {
    const effective = enforced.filter(({ directives }) => directives.size > 0);
    if (isSandboxedFrom(effective, 'allow-scripts')) return;
    if (effective.length > 0 && !effective.some(demandsTypes)) yield { evidence: policyLines(effective) };
  },

  examples: [
    { name: 'not required', given: withPolicy("script-src 'self'"), fails: 1 },
    { name: 'required without a value', given: withPolicy('require-trusted-types-for'), fails: 1 },
    {
      name: 'required for scripts',
      given: withPolicy("script-src 'self'; require-trusted-types-for 'script'"),
      fails: 0,
    },
    {
      name: 'required by a second policy',
      given: withPolicy("script-src 'self'", "require-trusted-types-for 'script'"),
      fails: 0,
    },
    { name: 'sandbox without allow-scripts', given: withPolicy('sandbox allow-forms'), fails: 0 },
    { name: 'no policy, judged by another check', given: {}, fails: 0 },
  ],
});
