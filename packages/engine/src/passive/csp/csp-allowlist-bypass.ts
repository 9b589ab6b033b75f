import { checkScriptAllowlistBypass } from 'csp_evaluator/dist/checks/security_checks.js';
import { Csp } from 'csp_evaluator/dist/csp.js';
import { Severity } from 'csp_evaluator/dist/finding.js';
import { definePassiveCheck } from '../../check.ts';
import { openSources } from '../../evidence/policies.ts';
import { hasSource, hostOf } from '../../evidence/sources.ts';
import { withPolicy } from '../given-policies.ts';

/** The library compares each source with all it knows. */
const MAX_SOURCES = 50;

/** Those of hosts that are known to serve what somebody can turn against this policy. */
function bypasses(sources: readonly string[]): string[] {
  if (hasSource(sources, "'strict-dynamic'")) return [];
  // The library throws at what is no URL.
  const hosts = sources.filter((source) => hostOf(source) !== undefined).slice(0, MAX_SOURCES);
  const keywords = hasSource(sources, "'unsafe-eval'") ? ["'unsafe-eval'"] : [];
  return checkScriptAllowlistBypass(new Csp({ 'script-src': [...keywords, ...hosts] }))
    .filter(({ severity }) => severity === Severity.HIGH)
    .map(({ description, value }) => `${value}: ${description}`);
}

export default definePassiveCheck({
  id: 'csp-allowlist-bypass',
  group: 'csp',
  severity: 'LOW',
  confidence: 'TENTATIVE',
  cwe: 693,
  title: 'The Content-Security-Policy trusts a host that can be used to get round it',
  why: 'The host serves JSONP answers or old script libraries to everybody. Who can slip a script tag into the page can load one of those and have it run what they like.',
  fix: "Trust scripts by a nonce and 'strict-dynamic' instead of by host, or narrow the source down to the exact path that the page loads.",
  references: [
    'https://research.google/pubs/csp-is-dead-long-live-csp-on-the-insecurity-of-whitelists-and-the-future-of-content-security-policy/',
  ],
  needs: ['policies'],

  *run({ policies: { enforced } }) {
    const open = openSources(enforced, 'script-src-elem', bypasses);
    if (open.length > 0) yield { evidence: open.join('\n') };
  },

  examples: [
    { name: 'a host of many libraries', given: withPolicy("script-src 'self' https://cdnjs.cloudflare.com"), fails: 1 },
    { name: 'a host of JSONP answers', given: withPolicy('script-src accounts.google.com'), fails: 1 },
    { name: 'its domain', given: withPolicy('script-src *.googleapis.com'), fails: 1 },
    {
      name: 'narrowed to a path',
      given: withPolicy('script-src https://accounts.google.com/gsi/client'),
      fails: 0,
    },
    {
      name: "beside 'strict-dynamic', where hosts are ignored",
      given: withPolicy("script-src 'nonce-cmFuZG9t' 'strict-dynamic' https://cdnjs.cloudflare.com"),
      fails: 0,
    },
    { name: 'a host that nothing is known about', given: withPolicy("script-src 'self' cdn.site.example"), fails: 0 },
    { name: 'for styles', given: withPolicy("script-src 'self'; style-src cdnjs.cloudflare.com"), fails: 0 },
    { name: 'what is no host', given: withPolicy('script-src https://[ http://a:99999 //. ://'), fails: 0 },
    { name: 'not sent', given: {}, fails: 0 },
  ],
});
