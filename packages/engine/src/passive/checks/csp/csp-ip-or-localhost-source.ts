import { isIP } from 'node:net';
import { type Policy, policyLines } from '../../../evidence/page/policies.ts';
import { hostOf } from '../../../evidence/page/sources.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';
import { withPolicy } from '../../example-policies.ts';

/** Directives whose values are sources. */
const WITH_SOURCES = /-src(-elem|-attr)?$|^(base-uri|form-action|frame-ancestors)$/;

function isLocal(source: string): boolean {
  const host = hostOf(source) ?? '';
  return /(^|\.)localhost$/.test(host) || isIP(host.replace(/^\[|\]$/g, '')) !== 0;
}

const localSources = ({ directives }: Policy) =>
  [...directives].filter(([name]) => WITH_SOURCES.test(name)).flatMap(([, sources]) => sources.filter(isLocal));

export default definePassiveCheck({
  id: 'csp-ip-or-localhost-source',
  group: 'csp',
  severity: 'LOW',
  cwe: 693,
  title: 'CSP allows an IP address or localhost as source',
  why: 'The policy lists an IP address or localhost as a source, usually left over from development. Any local program on the computer of a user, or the holder of that address, can serve content to the page. Browsers ignore IP sources other than 127.0.0.1, so the entry has no legitimate use on a public site.',
  fix: 'Remove the source from the production policy, or replace it with the intended host name. Build the policy per environment, so that development sources do not reach production.',
  references: [
    'https://www.w3.org/TR/CSP3/#match-hosts',
    'https://cheatsheetseries.owasp.org/cheatsheets/Content_Security_Policy_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/693.html',
  ],
  needs: ['policies'],

  *run({ policies: { enforced } }) {
    const local = enforced.flatMap(localSources);
    if (local.length > 0) yield { evidence: `${[...new Set(local)].join(' ')}\n${policyLines(enforced)}` };
  },

  examples: [
    { name: 'IPv4 address', given: withPolicy("script-src 'self' http://192.0.2.7:8080"), fails: 1 },
    { name: 'IPv4 address without a scheme', given: withPolicy("img-src 'self' 192.0.2.7"), fails: 1 },
    { name: 'IPv6 address', given: withPolicy('connect-src https://[2001:db8::1]:*'), fails: 1 },
    { name: 'localhost', given: withPolicy("connect-src 'self' ws://localhost:3000"), fails: 1 },
    { name: 'localhost with any port', given: withPolicy('script-src localhost:*'), fails: 1 },
    { name: 'host names', given: withPolicy("script-src 'self' https://*.site.example:8443/a data:"), fails: 0 },
    { name: 'host name that begins with localhost', given: withPolicy('script-src localhost.site.example'), fails: 0 },
    {
      name: 'IP address in report-uri',
      given: withPolicy("default-src 'self'; report-uri http://192.0.2.7/"),
      fails: 0,
    },
    { name: 'no policy', given: {}, fails: 0 },
  ],
});
