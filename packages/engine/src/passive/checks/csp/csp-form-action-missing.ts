import { isSandboxedFrom, policyLines } from '../../../evidence/page/policies.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';
import { withPolicy } from '../../example-policies.ts';

export default definePassiveCheck({
  id: 'csp-form-action-missing',
  group: 'csp',
  severity: 'INFO',
  cwe: 693,
  title: 'CSP without form-action: forms can submit to any site',
  why: 'The policy has no form-action directive, and default-src does not cover forms. An attacker who can inject HTML adds a form, or changes the action of an existing one, and receives what users submit, such as passwords.',
  fix: "Add form-action 'self' to the policy. Append the other origins that forms of the page submit to.",
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Content_Security_Policy_Cheat_Sheet.html',
    'https://www.w3.org/TR/CSP3/#directive-form-action',
    'https://cwe.mitre.org/data/definitions/693.html',
  ],
  needs: ['policies'],

  *run({ policies: { enforced } }) {
    const effective = enforced.filter(({ directives }) => directives.size > 0);
    const isSet = effective.some(({ directives }) => directives.has('form-action'));
    if (effective.length > 0 && !isSet && !isSandboxedFrom(effective, 'allow-forms'))
      yield { evidence: policyLines(effective) };
  },

  examples: [
    { name: 'default-src only', given: withPolicy("default-src 'none'"), fails: 1 },
    { name: 'form-action present', given: withPolicy("default-src 'none'; form-action 'self'"), fails: 0 },
    { name: 'form-action in a second policy', given: withPolicy("default-src 'none'", "form-action 'self'"), fails: 0 },
    { name: 'sandbox with allow-forms', given: withPolicy('sandbox allow-forms'), fails: 1 },
    { name: 'sandbox without allow-forms', given: withPolicy('sandbox'), fails: 0 },
    { name: 'no policy, judged by another check', given: {}, fails: 0 },
  ],
});
