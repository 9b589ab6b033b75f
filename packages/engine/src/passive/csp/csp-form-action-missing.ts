import { definePassiveCheck } from '../../check.ts';
import { isSandboxedFrom, policyLines } from '../../evidence/policies.ts';
import { withPolicy } from '../given-policies.ts';

export default definePassiveCheck({
  id: 'csp-form-action-missing',
  group: 'csp',
  severity: 'INFO',
  cwe: 693,
  title: 'The Content-Security-Policy lets forms send what is typed anywhere',
  why: 'A form that is slipped into the page, or a changed address of one that is there, can send passwords to somebody else. default-src does not cover forms.',
  fix: "Add form-action 'self', and the other sites that forms of the page really send to.",
  references: ['https://www.w3.org/TR/CSP3/#directive-form-action'],
  needs: ['policies'],

  *run({ policies: { enforced } }) {
    const spoken = enforced.filter(({ directives }) => directives.size > 0);
    const isSet = spoken.some(({ directives }) => directives.has('form-action'));
    if (spoken.length > 0 && !isSet && !isSandboxedFrom(spoken, 'allow-forms')) yield { evidence: policyLines(spoken) };
  },

  examples: [
    { name: 'default-src does not cover it', given: withPolicy("default-src 'none'"), fails: 1 },
    { name: 'set', given: withPolicy("default-src 'none'; form-action 'self'"), fails: 0 },
    { name: 'set by another policy', given: withPolicy("default-src 'none'", "form-action 'self'"), fails: 0 },
    { name: 'a sandbox that lets forms be sent', given: withPolicy('sandbox allow-forms'), fails: 1 },
    { name: 'a sandbox in which no form is sent', given: withPolicy('sandbox'), fails: 0 },
    { name: 'no policy, which another check judges', given: {}, fails: 0 },
  ],
});
