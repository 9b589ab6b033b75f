import { definePassiveCheck } from '../../check.ts';
import { directiveLines, type Policy, sourcesFor } from '../../evidence/policies.ts';
import { hasNonce, hasSource, isAnywhere } from '../../evidence/sources.ts';
import { withPolicy } from '../given-policies.ts';

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
  title: 'The Content-Security-Policy lets a base tag redirect the scripts of the page',
  why: "The policy trusts script tags by their nonce, wherever they load from. A base tag that is slipped in makes relative addresses point to somebody else's server, and their scripts are trusted.",
  fix: "Add base-uri 'none', or base-uri 'self' if the page has a base tag of its own.",
  references: ['https://www.w3.org/TR/CSP3/#directive-base-uri'],
  needs: ['policies'],

  *run({ policies: { enforced } }) {
    if (enforced.some(restrictsBase) || !enforced.some(trustsTags)) return;
    const written = enforced.flatMap(({ directives }) => directives.get('base-uri') ?? []).join(' ');
    yield { evidence: `${directiveLines(enforced, 'script-src')}\nbase-uri ${written || '(missing)'}` };
  },

  examples: [
    { name: 'with a nonce', given: withPolicy("script-src 'nonce-cmFuZG9t'"), fails: 1 },
    { name: "with 'strict-dynamic'", given: withPolicy("script-src 'sha256-YQ==' 'strict-dynamic'"), fails: 1 },
    { name: 'with a nonce by default', given: withPolicy("default-src 'nonce-cmFuZG9t'"), fails: 1 },
    { name: 'set to any origin', given: withPolicy("script-src 'nonce-cmFuZG9t'; base-uri *"), fails: 1 },
    {
      name: 'set to a whole scheme',
      given: withPolicy("script-src 'nonce-cmFuZG9t'; base-uri 'self' https:"),
      fails: 1,
    },
    { name: 'set', given: withPolicy("script-src 'nonce-cmFuZG9t'; base-uri 'none'"), fails: 0 },
    { name: 'set by another policy', given: withPolicy("script-src 'nonce-cmFuZG9t'", "base-uri 'self'"), fails: 0 },
    { name: 'a policy that trusts hosts only', given: withPolicy("script-src 'self' https://a.example"), fails: 0 },
    { name: 'hashes of scripts in the page', given: withPolicy("script-src 'sha256-YQ=='"), fails: 0 },
    { name: 'not sent', given: {}, fails: 0 },
  ],
});
