import { isSandboxedFrom, policyLines, sourcesFor } from '../../../evidence/page/policies.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';
import { withMetaPolicy, withPolicy } from '../../example-policies.ts';

export default definePassiveCheck({
  id: 'csp-script-src-missing',
  group: 'csp',
  severity: 'MEDIUM',
  cwe: 79,
  title: 'CSP does not restrict scripts (script-src missing)',
  why: 'The policy has neither script-src nor default-src, so scripts from every source run, inline scripts included. It gives no protection against cross-site scripting (XSS). The evidence shows the policy that we received.',
  fix: "Add script-src with a nonce and 'strict-dynamic'. Add default-src 'self' to cover the other resource types.",
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Content_Security_Policy_Cheat_Sheet.html',
    'https://www.w3.org/TR/CSP3/#directive-script-src',
    'https://cwe.mitre.org/data/definitions/79.html',
  ],
  needs: ['policies'],

  *run({ policies: { enforced } }) {
    const effective = enforced.filter(({ directives }) => directives.size > 0);
    const isRestricted = effective.some((policy) => sourcesFor(policy, 'script-src') !== undefined);
    if (effective.length > 0 && !isRestricted && !isSandboxedFrom(effective, 'allow-scripts'))
      yield { evidence: policyLines(effective) };
  },

  examples: [
    { name: 'frame-ancestors only', given: withPolicy("frame-ancestors 'none'"), fails: 1 },
    { name: 'upgrade-insecure-requests only', given: withPolicy('upgrade-insecure-requests'), fails: 1 },
    { name: 'img-src only, in a meta policy', given: withMetaPolicy("img-src 'self'"), fails: 1 },
    { name: 'sandbox with allow-scripts', given: withPolicy('sandbox allow-forms Allow-Scripts'), fails: 1 },
    {
      name: 'sandbox in a meta policy, which browsers ignore',
      given: withMetaPolicy("sandbox; img-src 'self'"),
      fails: 1,
    },
    { name: 'sandbox without allow-scripts', given: withPolicy('sandbox'), fails: 0 },
    { name: 'script-src', given: withPolicy("script-src 'self'"), fails: 0 },
    { name: 'default-src', given: withPolicy("default-src 'self'"), fails: 0 },
    {
      name: 'script-src in a second policy',
      given: withPolicy("frame-ancestors 'none'", "script-src 'self'"),
      fails: 0,
    },
    {
      name: 'API response',
      given: { headers: { 'content-type': 'application/json', 'content-security-policy': "frame-ancestors 'none'" } },
      fails: 0,
    },
    { name: 'empty policy, judged by another check', given: withPolicy(''), fails: 0 },
    { name: 'no policy, judged by another check', given: {}, fails: 0 },
  ],
});
