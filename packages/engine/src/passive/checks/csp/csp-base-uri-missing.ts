import { directiveLines, type Policy, sourcesFor } from '../../../evidence/page/policies.ts';
import { hasNonce, hasSource, isAnywhere } from '../../../evidence/page/sources.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';
import { withPolicy } from '../../example-policies.ts';

function trustsTags(policy: Policy): boolean {
  const sources = sourcesFor(policy, 'script-src') ?? [];
  return hasNonce(sources) || hasSource(sources, "'strict-dynamic'");
}

const restrictsBase = ({ directives }: Policy) => directives.get('base-uri')?.some(isAnywhere) === false;

export default definePassiveCheck({
  id: 'csp-base-uri-missing',
  group: 'csp',
  severity: 'LOW',
  cwe: 79,
  title: 'CSP without base-uri: injected base tag redirects scripts',
  why: "The policy trusts scripts by nonce or 'strict-dynamic' but does not restrict base-uri. An attacker who can inject a base tag changes the target of relative script URLs to their own server. The browser then loads those scripts with the valid nonce and runs them (XSS).",
  fix: "Add base-uri 'none' to the policy. Use base-uri 'self' if the page has a base tag of its own.",
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Content_Security_Policy_Cheat_Sheet.html',
    'https://www.w3.org/TR/CSP3/#directive-base-uri',
    'https://cwe.mitre.org/data/definitions/79.html',
  ],
  needs: ['policies'],

  *run({ policies: { enforced } }) {
    if (enforced.some(restrictsBase) || !enforced.some(trustsTags)) return;
    const written = enforced.flatMap(({ directives }) => directives.get('base-uri') ?? []).join(' ');
    yield { evidence: `${directiveLines(enforced, 'script-src')}\nbase-uri ${written || '(missing)'}` };
  },

  examples: [
    { name: 'with a nonce', given: withPolicy("script-src 'nonce-cmFuZG9t'"), fails: 1 },
    { name: "with 'strict-dynamic'", given: withPolicy("script-src 'sha256-YQ==' 'strict-dynamic'"), fails: 1 },
    { name: 'with a nonce in default-src', given: withPolicy("default-src 'nonce-cmFuZG9t'"), fails: 1 },
    { name: 'base-uri with a wildcard', given: withPolicy("script-src 'nonce-cmFuZG9t'; base-uri *"), fails: 1 },
    {
      name: 'base-uri with a scheme',
      given: withPolicy("script-src 'nonce-cmFuZG9t'; base-uri 'self' https:"),
      fails: 1,
    },
    { name: "base-uri 'none'", given: withPolicy("script-src 'nonce-cmFuZG9t'; base-uri 'none'"), fails: 0 },
    {
      name: 'base-uri in a second policy',
      given: withPolicy("script-src 'nonce-cmFuZG9t'", "base-uri 'self'"),
      fails: 0,
    },
    { name: 'policy with hosts only', given: withPolicy("script-src 'self' https://a.example"), fails: 0 },
    { name: 'hashes of inline scripts', given: withPolicy("script-src 'sha256-YQ=='"), fails: 0 },
    { name: 'no policy', given: {}, fails: 0 },
  ],
});
