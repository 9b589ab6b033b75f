import { isIP } from 'node:net';
import { definePassiveCheck } from '../../check.ts';
import { type Policy, policyLines } from '../../evidence/policies.ts';
import { hostOf } from '../../evidence/sources.ts';
import { withPolicy } from '../given-policies.ts';

/** Those whose values are sources. */
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
  title: 'The Content-Security-Policy names an address or the own computer as a source',
  why: "It is mostly left over from development. It lets any program on a visitor's computer, or whoever gets that address, feed the page; other addresses than 127.0.0.1 are ignored by browsers.",
  fix: 'Remove the address from the policy of the public site, or name the host that was meant.',
  references: ['https://www.w3.org/TR/CSP3/#match-hosts'],
  needs: ['policies'],

  *run({ policies: { enforced } }) {
    const local = enforced.flatMap(localSources);
    if (local.length > 0) yield { evidence: `${[...new Set(local)].join(' ')}\n${policyLines(enforced)}` };
  },

  examples: [
    { name: 'an address', given: withPolicy("script-src 'self' http://192.0.2.7:8080"), fails: 1 },
    { name: 'an address without a scheme', given: withPolicy("img-src 'self' 192.0.2.7"), fails: 1 },
    { name: 'an IPv6 address', given: withPolicy('connect-src https://[2001:db8::1]:*'), fails: 1 },
    { name: 'the own computer', given: withPolicy("connect-src 'self' ws://localhost:3000"), fails: 1 },
    { name: 'any port of it', given: withPolicy('script-src localhost:*'), fails: 1 },
    { name: 'a host', given: withPolicy("script-src 'self' https://*.site.example:8443/a data:"), fails: 0 },
    { name: 'a name that begins so', given: withPolicy('script-src localhost.site.example'), fails: 0 },
    { name: 'a place for reports', given: withPolicy("default-src 'self'; report-uri http://192.0.2.7/"), fails: 0 },
    { name: 'not sent', given: {}, fails: 0 },
  ],
});
