import { checkScriptAllowlistBypass } from 'csp_evaluator/dist/checks/security_checks.js';
import { Csp } from 'csp_evaluator/dist/csp.js';
import { Severity } from 'csp_evaluator/dist/finding.js';
import { openSources } from '../../../evidence/page/policies.ts';
import { hasSource, hostOf } from '../../../evidence/page/sources.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';
import { withPolicy } from '../../example-policies.ts';

/** Bounds the work: the library compares each source with its whole list of bypasses. */
const MAX_SOURCES = 50;

/** The sources whose host is known for JSONP endpoints or script gadgets. */
function bypasses(sources: readonly string[]): string[] {
  if (hasSource(sources, "'strict-dynamic'")) return [];
  // The library throws on sources that are not URLs.
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
  title: 'CSP allowlist can be bypassed through an allowed host',
  why: 'The script-src directive allows a host that serves JSONP endpoints or script libraries with known gadgets. An attacker who can inject HTML into the page loads one of them from the allowed host and executes arbitrary JavaScript (XSS) despite the policy. The evidence names the host and the kind of bypass; we do not send an attack.',
  fix: "Replace host allowlists with a nonce and 'strict-dynamic'. Where a host has to stay, narrow the source to the exact path that the page loads.",
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Content_Security_Policy_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/12-Test_for_Content_Security_Policy',
    'https://research.google/pubs/csp-is-dead-long-live-csp-on-the-insecurity-of-whitelists-and-the-future-of-content-security-policy/',
    'https://cwe.mitre.org/data/definitions/693.html',
  ],
  needs: ['policies'],

  *run({ policies: { enforced } }) {
    const open = openSources(enforced, 'script-src-elem', bypasses);
    if (open.length > 0) yield { evidence: open.join('\n') };
  },

  examples: [
    { name: 'public CDN', given: withPolicy("script-src 'self' https://cdnjs.cloudflare.com"), fails: 1 },
    { name: 'host with JSONP endpoints', given: withPolicy('script-src accounts.google.com'), fails: 1 },
    { name: 'wildcard of such a domain', given: withPolicy('script-src *.googleapis.com'), fails: 1 },
    {
      name: 'narrowed to a path',
      given: withPolicy('script-src https://accounts.google.com/gsi/client'),
      fails: 0,
    },
    {
      name: "with 'strict-dynamic', which ignores hosts",
      given: withPolicy("script-src 'nonce-cmFuZG9t' 'strict-dynamic' https://cdnjs.cloudflare.com"),
      fails: 0,
    },
    { name: 'unknown host', given: withPolicy("script-src 'self' cdn.site.example"), fails: 0 },
    {
      name: 'host allowed for styles',
      given: withPolicy("script-src 'self'; style-src cdnjs.cloudflare.com"),
      fails: 0,
    },
    { name: 'invalid sources', given: withPolicy('script-src https://[ http://a:99999 //. ://'), fails: 0 },
    { name: 'no policy', given: {}, fails: 0 },
  ],
});
