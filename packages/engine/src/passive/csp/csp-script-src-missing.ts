import { definePassiveCheck } from '../../check.ts';
import { isSandboxedFrom, policyLines, sourcesFor } from '../../evidence/policies.ts';
import { withMetaPolicy, withPolicy } from '../given-policies.ts';

export default definePassiveCheck({
  id: 'csp-script-src-missing',
  group: 'csp',
  severity: 'MEDIUM',
  cwe: 79,
  title: 'The Content-Security-Policy says nothing about scripts',
  why: 'Without script-src and default-src every script runs, from everywhere. Such a policy does not help against scripts that are slipped into the page.',
  fix: "Add script-src, best with a nonce and 'strict-dynamic', or a default-src that covers everything else, too.",
  references: ['https://www.w3.org/TR/CSP3/#directive-script-src'],
  needs: ['policies'],

  *run({ policies: { enforced } }) {
    const spoken = enforced.filter(({ directives }) => directives.size > 0);
    const isSaid = spoken.some((policy) => sourcesFor(policy, 'script-src') !== undefined);
    if (spoken.length > 0 && !isSaid && !isSandboxedFrom(spoken, 'allow-scripts'))
      yield { evidence: policyLines(spoken) };
  },

  examples: [
    { name: 'only about frames', given: withPolicy("frame-ancestors 'none'"), fails: 1 },
    { name: 'only an upgrade to https', given: withPolicy('upgrade-insecure-requests'), fails: 1 },
    { name: 'only about images, in the page', given: withMetaPolicy("img-src 'self'"), fails: 1 },
    { name: 'a sandbox that lets scripts run', given: withPolicy('sandbox allow-forms Allow-Scripts'), fails: 1 },
    { name: 'a sandbox in the page, where it is ignored', given: withMetaPolicy("sandbox; img-src 'self'"), fails: 1 },
    { name: 'a sandbox in which no script runs', given: withPolicy('sandbox'), fails: 0 },
    { name: 'script-src', given: withPolicy("script-src 'self'"), fails: 0 },
    { name: 'default-src', given: withPolicy("default-src 'self'"), fails: 0 },
    { name: 'in another policy', given: withPolicy("frame-ancestors 'none'", "script-src 'self'"), fails: 0 },
    {
      name: 'an answer of an API',
      given: { headers: { 'content-type': 'application/json', 'content-security-policy': "frame-ancestors 'none'" } },
      fails: 0,
    },
    { name: 'an empty policy, which another check judges', given: withPolicy(''), fails: 0 },
    { name: 'no policy, which another check judges', given: {}, fails: 0 },
  ],
});
