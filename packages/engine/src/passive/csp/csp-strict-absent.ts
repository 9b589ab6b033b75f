import { definePassiveCheck } from '../../check.ts';
import { directiveLines, type Policy, sourcesFor } from '../../evidence/policies.ts';
import { hasNonceOrHash, hasSource, isPlace } from '../../evidence/sources.ts';
import { withPolicy } from '../given-policies.ts';

const scriptsOf = (policy: Policy) => sourcesFor(policy, 'script-src-elem') ?? [];

const isStrict = (sources: readonly string[]) => hasNonceOrHash(sources) && hasSource(sources, "'strict-dynamic'");

export default definePassiveCheck({
  id: 'csp-strict-absent',
  group: 'csp',
  severity: 'INFO',
  cwe: 693,
  title: 'The Content-Security-Policy trusts scripts by the host they come from',
  why: 'Lists of hosts grow long and nearly always contain one that can be used to get round them. A policy that trusts single script tags by a nonce has no such gap.',
  fix: "Give each script tag a nonce that is new for every answer, and send script-src 'nonce-…' 'strict-dynamic'; object-src 'none'; base-uri 'none'.",
  references: ['https://web.dev/articles/strict-csp'],
  needs: ['policies'],

  *run({ policies: { enforced } }) {
    const lists = enforced.map(scriptsOf);
    if (lists.some(isStrict) || !lists.some((sources) => sources.some(isPlace))) return;
    yield { evidence: directiveLines(enforced, 'script-src-elem') };
  },

  examples: [
    { name: 'hosts', given: withPolicy("script-src 'self' https://a.example"), fails: 1 },
    { name: 'hosts by default', given: withPolicy('default-src https://a.example'), fails: 1 },
    { name: 'a nonce beside hosts', given: withPolicy("script-src 'nonce-cmFuZG9t' https://a.example"), fails: 1 },
    { name: 'strict', given: withPolicy("script-src 'nonce-cmFuZG9t' 'strict-dynamic' https:"), fails: 0 },
    {
      name: 'strict in another policy',
      given: withPolicy('script-src https:', "script-src 'sha256-YQ==' 'strict-dynamic'"),
      fails: 0,
    },
    { name: "the site's own scripts only", given: withPolicy("script-src 'self'"), fails: 0 },
    { name: 'no scripts', given: withPolicy("default-src 'none'; img-src https:"), fails: 0 },
    { name: 'not sent', given: {}, fails: 0 },
  ],
});
