import { directiveLines, type Policy, sourcesFor } from '../../../evidence/page/policies.ts';
import { hasNonceOrHash, hasSource, isPlace } from '../../../evidence/page/sources.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';
import { withPolicy } from '../../example-policies.ts';

const scriptsOf = (policy: Policy) => sourcesFor(policy, 'script-src-elem') ?? [];

const isStrict = (sources: readonly string[]) => hasNonceOrHash(sources) && hasSource(sources, "'strict-dynamic'");

export default definePassiveCheck({
  id: 'csp-strict-absent',
  group: 'csp',
  severity: 'INFO',
  cwe: 693,
  title: 'CSP uses a host allowlist instead of nonces or hashes',
  why: "The script-src directive trusts scripts by host instead of by nonce or hash with 'strict-dynamic'. Host allowlists usually contain a host with a JSONP endpoint or a script gadget, through which an attacker can bypass the policy. A strict CSP does not depend on hosts.",
  fix: "Give each script tag a nonce that is random for every response. Send script-src 'nonce-…' 'strict-dynamic'; object-src 'none'; base-uri 'none'.",
  references: [
    'https://web.dev/articles/strict-csp',
    'https://cheatsheetseries.owasp.org/cheatsheets/Content_Security_Policy_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/693.html',
  ],
  needs: ['policies'],

  *run({ policies: { enforced } }) {
    const lists = enforced.map(scriptsOf);
    if (lists.some(isStrict) || !lists.some((sources) => sources.some(isPlace))) return;
    yield { evidence: directiveLines(enforced, 'script-src-elem') };
  },

  examples: [
    { name: 'host allowlist', given: withPolicy("script-src 'self' https://a.example"), fails: 1 },
    { name: 'host allowlist in default-src', given: withPolicy('default-src https://a.example'), fails: 1 },
    {
      name: "nonce without 'strict-dynamic'",
      given: withPolicy("script-src 'nonce-cmFuZG9t' https://a.example"),
      fails: 1,
    },
    { name: 'strict policy', given: withPolicy("script-src 'nonce-cmFuZG9t' 'strict-dynamic' https:"), fails: 0 },
    {
      name: 'strict second policy',
      given: withPolicy('script-src https:', "script-src 'sha256-YQ==' 'strict-dynamic'"),
      fails: 0,
    },
    { name: "'self' only", given: withPolicy("script-src 'self'"), fails: 0 },
    { name: 'scripts blocked', given: withPolicy("default-src 'none'; img-src https:"), fails: 0 },
    { name: 'no policy', given: {}, fails: 0 },
  ],
});
