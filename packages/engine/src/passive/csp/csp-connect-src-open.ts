import { definePassiveCheck } from '../../check.ts';
import { directiveLines, type Policy, sourcesFor } from '../../evidence/policies.ts';
import { isAnywhere } from '../../evidence/sources.ts';
import { withPolicy } from '../given-policies.ts';

/** Only what is written: a policy that rules scripts alone has made no promise about connections. */
const connections = (policy: Policy) => sourcesFor(policy, 'connect-src');

export default definePassiveCheck({
  id: 'csp-connect-src-open',
  group: 'csp',
  severity: 'INFO',
  cwe: 693,
  title: 'CSP allows connections to any host (connect-src)',
  why: 'connect-src with *, https: or wss: lets a script of the page send data to every server. An attacker who gets a script past the policy can exfiltrate what the page shows with one fetch call.',
  fix: "List the hosts that the page calls, for example connect-src 'self' https://api.example.com.",
  references: ['https://www.w3.org/TR/CSP3/#directive-connect-src'],
  needs: ['policies'],

  *run({ policies: { enforced } }) {
    const lists = enforced.map(connections).filter((sources) => sources !== undefined);
    if (lists.length > 0 && lists.every((sources) => sources.some(isAnywhere)))
      yield { evidence: directiveLines(enforced, 'connect-src') };
  },

  examples: [
    { name: 'any host', given: withPolicy("default-src 'self'; connect-src *"), fails: 1 },
    { name: 'a whole scheme', given: withPolicy("script-src 'self'; connect-src 'self' wss:"), fails: 1 },
    { name: 'by default', given: withPolicy("default-src https:; script-src 'self'"), fails: 1 },
    { name: 'hosts', given: withPolicy("default-src 'none'; connect-src 'self' https://*.site.example"), fails: 0 },
    { name: 'stopped by another policy', given: withPolicy('connect-src *', "connect-src 'self'"), fails: 0 },
    { name: 'no word of it', given: withPolicy("script-src 'self'"), fails: 0 },
    { name: 'not sent', given: {}, fails: 0 },
  ],
});
