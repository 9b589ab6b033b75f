import { definePassiveCheck } from '../../check.ts';
import { directiveLines, type Policy, sourcesFor } from '../../evidence/policies.ts';
import { withPolicy } from '../given-policies.ts';

const BROAD = /^(\*|https?:|data:|blob:|filesystem:|(https?:\/\/)?\*)(:(\*|\d+))?\/?$/i;

function isOpen(policy: Policy): boolean {
  const sources = sourcesFor(policy, 'object-src');
  // No plugin runs in a sandbox.
  if (policy.directives.has('sandbox')) return false;
  return sources === undefined || sources.some((source) => BROAD.test(source));
}

export default definePassiveCheck({
  id: 'csp-object-src-open',
  group: 'csp',
  severity: 'LOW',
  cwe: 693,
  title: 'The Content-Security-Policy lets the page embed plugins from anywhere',
  why: 'An object or embed tag that is slipped into the page can load foreign content, and where a browser still has plugins, run it as a script of the site.',
  fix: "Add object-src 'none', or a default-src that names the site's own sources.",
  references: ['https://www.w3.org/TR/CSP3/#directive-object-src'],
  needs: ['policies'],

  *run({ policies: { enforced } }) {
    const spoken = enforced.filter(({ directives }) => directives.size > 0);
    if (spoken.length > 0 && spoken.every(isOpen)) yield { evidence: directiveLines(spoken, 'object-src') };
  },

  examples: [
    { name: 'no word of it', given: withPolicy("script-src 'self'"), fails: 1 },
    { name: 'any source', given: withPolicy("default-src 'self'; object-src *"), fails: 1 },
    { name: 'any source by default', given: withPolicy("default-src https:; script-src 'self'"), fails: 1 },
    {
      name: 'no word of it, with trusted types, which do not help',
      given: withPolicy("script-src 'self'; require-trusted-types-for 'script'"),
      fails: 1,
    },
    { name: 'none', given: withPolicy("script-src 'self'; object-src 'none'"), fails: 0 },
    { name: 'a sandbox, in which no plugin runs', given: withPolicy('sandbox allow-scripts'), fails: 0 },
    { name: 'an empty list', given: withPolicy('object-src'), fails: 0 },
    { name: "the site's own by default", given: withPolicy("default-src 'self'"), fails: 0 },
    { name: 'stopped by another policy', given: withPolicy("script-src 'self'", "object-src 'none'"), fails: 0 },
    { name: 'not sent', given: {}, fails: 0 },
  ],
});
