import { directiveLines, type Policy, sourcesFor } from '../../../evidence/page/policies.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';
import { withPolicy } from '../../example-policies.ts';

const BROAD = /^(\*|https?:|data:|blob:|filesystem:|(https?:\/\/)?\*)(:(\*|\d+))?\/?$/i;

function isOpen(policy: Policy): boolean {
  const sources = sourcesFor(policy, 'object-src');
  // A sandbox blocks plugins.
  if (policy.directives.has('sandbox')) return false;
  return sources === undefined || sources.some((source) => BROAD.test(source));
}

export default definePassiveCheck({
  id: 'csp-object-src-open',
  group: 'csp',
  severity: 'LOW',
  cwe: 693,
  title: 'CSP allows plugins from any source (object-src)',
  why: 'The policy does not restrict object-src, or restricts it to a wildcard or a whole scheme. An attacker who can inject an object or embed tag can load foreign content into the page. In browsers with plugins, that content can execute script in the origin of the site.',
  fix: "Add object-src 'none' to the policy. Pages that embed documents should list their exact sources instead.",
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Content_Security_Policy_Cheat_Sheet.html',
    'https://www.w3.org/TR/CSP3/#directive-object-src',
    'https://cwe.mitre.org/data/definitions/693.html',
  ],
  needs: ['policies'],

  *run({ policies: { enforced } }) {
    const effective = enforced.filter(({ directives }) => directives.size > 0);
    if (effective.length > 0 && effective.every(isOpen)) yield { evidence: directiveLines(effective, 'object-src') };
  },

  examples: [
    { name: 'no object-src or default-src', given: withPolicy("script-src 'self'"), fails: 1 },
    { name: 'wildcard', given: withPolicy("default-src 'self'; object-src *"), fails: 1 },
    { name: 'scheme in default-src', given: withPolicy("default-src https:; script-src 'self'"), fails: 1 },
    {
      name: 'no object-src, with Trusted Types',
      given: withPolicy("script-src 'self'; require-trusted-types-for 'script'"),
      fails: 1,
    },
    { name: "object-src 'none'", given: withPolicy("script-src 'self'; object-src 'none'"), fails: 0 },
    { name: 'sandbox, which blocks plugins', given: withPolicy('sandbox allow-scripts'), fails: 0 },
    { name: 'empty source list', given: withPolicy('object-src'), fails: 0 },
    { name: "default-src 'self'", given: withPolicy("default-src 'self'"), fails: 0 },
    { name: 'restricted by a second policy', given: withPolicy("script-src 'self'", "object-src 'none'"), fails: 0 },
    { name: 'no policy', given: {}, fails: 0 },
  ],
});
