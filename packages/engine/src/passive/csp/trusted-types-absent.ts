import { definePassiveCheck } from '../../check.ts';
import { isSandboxedFrom, type Policy, policyLines } from '../../evidence/policies.ts';
import { hasSource } from '../../evidence/sources.ts';
import { withPolicy } from '../given-policies.ts';

const demandsTypes = ({ directives }: Policy) =>
  hasSource(directives.get('require-trusted-types-for') ?? [], "'script'");

export default definePassiveCheck({
  id: 'trusted-types-absent',
  group: 'csp',
  severity: 'INFO',
  cwe: 79,
  title: 'Scripts of the page may turn any text into markup',
  why: 'A script that hands text of others to innerHTML and the like makes it part of the page. With Trusted Types the browser refuses plain text at all such places.',
  fix: "Try require-trusted-types-for 'script' in a Content-Security-Policy-Report-Only, mend what it reports, then enforce it.",
  references: ['https://www.w3.org/TR/trusted-types/', 'https://web.dev/articles/trusted-types'],
  needs: ['policies'],

  *run({ policies: { enforced } }) {
    const spoken = enforced.filter(({ directives }) => directives.size > 0);
    if (isSandboxedFrom(spoken, 'allow-scripts')) return;
    if (spoken.length > 0 && !spoken.some(demandsTypes)) yield { evidence: policyLines(spoken) };
  },

  examples: [
    { name: 'not asked for', given: withPolicy("script-src 'self'"), fails: 1 },
    { name: 'asked for, but not of anything', given: withPolicy('require-trusted-types-for'), fails: 1 },
    { name: 'asked for', given: withPolicy("script-src 'self'; require-trusted-types-for 'script'"), fails: 0 },
    {
      name: 'asked for by another policy',
      given: withPolicy("script-src 'self'", "require-trusted-types-for 'script'"),
      fails: 0,
    },
    { name: 'a sandbox in which no script runs', given: withPolicy('sandbox allow-forms'), fails: 0 },
    { name: 'no policy, which another check judges', given: {}, fails: 0 },
  ],
});
