import { directiveLines, type Policy, sourcesFor } from '../../../evidence/page/policies.ts';
import { isAnywhere } from '../../../evidence/page/sources.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';
import { withPolicy } from '../../example-policies.ts';

/** Undefined for a policy without connect-src and default-src, which does not intend to restrict connections. */
const connections = (policy: Policy) => sourcesFor(policy, 'connect-src');

export default definePassiveCheck({
  id: 'csp-connect-src-open',
  group: 'csp',
  severity: 'INFO',
  cwe: 693,
  title: 'CSP allows connections to any host (connect-src)',
  why: 'The connect-src directive contains *, https: or wss:, so scripts of the page can send data to every server. An attacker who gets a script past the policy can exfiltrate what the page shows with one fetch call.',
  fix: "List the hosts that the page calls, for example connect-src 'self' https://api.example.com. Use Content-Security-Policy-Report-Only first to find the hosts in use.",
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Content_Security_Policy_Cheat_Sheet.html',
    'https://www.w3.org/TR/CSP3/#directive-connect-src',
    'https://cwe.mitre.org/data/definitions/693.html',
  ],
  needs: ['policies'],

  *run({ policies: { enforced } }) {
    const lists = enforced.map(connections).filter((sources) => sources !== undefined);
    if (lists.length > 0 && lists.every((sources) => sources.some(isAnywhere)))
      yield { evidence: directiveLines(enforced, 'connect-src') };
  },

  examples: [
    { name: 'wildcard', given: withPolicy("default-src 'self'; connect-src *"), fails: 1 },
    { name: 'scheme source', given: withPolicy("script-src 'self'; connect-src 'self' wss:"), fails: 1 },
    { name: 'scheme in default-src', given: withPolicy("default-src https:; script-src 'self'"), fails: 1 },
    {
      name: 'list of hosts',
      given: withPolicy("default-src 'none'; connect-src 'self' https://*.site.example"),
      fails: 0,
    },
    { name: 'restricted by a second policy', given: withPolicy('connect-src *', "connect-src 'self'"), fails: 0 },
    { name: 'no connect-src or default-src', given: withPolicy("script-src 'self'"), fails: 0 },
    { name: 'no policy', given: {}, fails: 0 },
  ],
});
