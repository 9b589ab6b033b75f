import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { definePassiveCheck } from '../../define-passive-check.ts';

const INTERNAL_NAME = /\.(?:internal|local|lan|corp|intra|intranet|private|localdomain)$/i;
const NUMBERED_NAME = /^(?:web|app|api|node|srv|server|host|backend|www)[-_]?\d+(?:\.|$)/i;
/** Host names of AWS instances, such as ip-10-0-3-7. */
const ADDRESS_IN_NAME = /^ip-(\d{1,3})-(\d{1,3})-(\d{1,3})-(\d{1,3})(?:\.|$)/i;
const NOT_PUBLIC = new Set(['private', 'loopback', 'linkLocal', 'uniqueLocal', 'carrierGradeNat']);

function isInternalAddress(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '');
  return isIP(address) !== 0 && NOT_PUBLIC.has(ipaddr.process(address).range());
}

function isInternal(host: string): boolean {
  const address = ADDRESS_IN_NAME.exec(host)?.slice(1).join('.');
  return isInternalAddress(address ?? host) || INTERNAL_NAME.test(host) || NUMBERED_NAME.test(host);
}

/** Removes a port without cutting off the last group of an IPv6 address. */
const toHost = (value: string) => value.trim().replace(/^([^:]*):\d+$/, '$1');

function leaksAddress(location: string, from: URL): boolean {
  const to = URL.parse(location, from.href)?.hostname;
  return to !== undefined && to !== from.hostname && isInternalAddress(to);
}

const leadsTo = (location: string) => ({ before: [{ headers: { location } }] });
const servedBy = (value: string) => ({ headers: { 'x-served-by': value } });

export default definePassiveCheck({
  id: 'backend-server-leak',
  group: 'disclosure',
  severity: 'LOW',
  cwe: 497,
  title: 'Information disclosure: internal host names or addresses in headers',
  why: 'Response headers contain the host name or IP address of a backend server. They reveal the structure of the internal network and give an attacker targets for server-side request forgery (SSRF). The evidence shows the headers.',
  fix: 'Remove X-Backend-Server and X-Served-By in the proxy. Build redirects from the public host name instead of the address of the backend.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/01-Information_Gathering/10-Map_Application_Architecture',
    'https://owasp.org/www-project-secure-headers/#prevent-information-disclosure-via-http-headers',
    'https://cwe.mitre.org/data/definitions/497.html',
  ],
  needs: ['answers'],

  *run({ answers }) {
    for (const { url, headers, headerLines } of answers) {
      const leaks = [
        ...(headers('x-backend-server').some((value) => value.trim() !== '') ? ['x-backend-server'] : []),
        ...(headers('x-served-by').some((value) => value.split(',').map(toHost).some(isInternal))
          ? ['x-served-by']
          : []),
        ...(headers('location').some((value) => leaksAddress(value, url)) ? ['location'] : []),
      ];
      if (leaks.length > 0) yield { url: url.href, evidence: headerLines(...leaks) };
    }
  },

  examples: [
    { name: 'X-Backend-Server', given: { headers: { 'X-Backend-Server': 'srv-7.dc2' } }, fails: 1 },
    { name: 'internal host name', given: servedBy('web03.prod.internal'), fails: 1 },
    { name: 'numbered host name', given: servedBy('web-03'), fails: 1 },
    { name: 'private IPv4 address with a port', given: servedBy('192.168.4.2:8080'), fails: 1 },
    { name: 'private IPv6 address', given: servedBy('fd00::7'), fails: 1 },
    { name: 'private address in a host name', given: servedBy('ip-10-0-3-7.eu-west-1.compute.internal'), fails: 1 },
    { name: 'redirect to a private address', given: leadsTo('http://10.1.2.3:8080/login'), fails: 1 },
    { name: 'CDN locations', given: servedBy('cache-fra1234-FRA, cache-ams21045-AMS'), fails: 0 },
    { name: 'public address', given: servedBy('192.0.43.8'), fails: 0 },
    { name: 'redirect to a host name', given: leadsTo('https://www.site.example/'), fails: 0 },
    { name: 'relative redirect', given: leadsTo('/login?next=http://10.1.2.3/'), fails: 0 },
    {
      name: 'redirect of a site on a private address',
      given: {
        url: 'http://10.1.2.3/home',
        before: [{ url: 'http://10.1.2.3/', headers: { location: 'http://10.1.2.3/home' } }],
      },
      fails: 0,
    },
    { name: 'no such headers', given: {}, fails: 0 },
  ],
});
