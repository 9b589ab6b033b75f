import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { definePassiveCheck } from '../../check.ts';

const INTERNAL_NAME = /\.(?:internal|local|lan|corp|intra|intranet|private|localdomain)$/i;
const NUMBERED_NAME = /^(?:web|app|api|node|srv|server|host|backend|www)[-_]?\d+(?:\.|$)/i;
/** As some clouds name machines: ip-10-0-3-7. */
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

/** Without a port, but not without the end of an IPv6 address. */
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
  title: 'Headers tell the names or addresses of machines behind the site',
  why: 'Internal names and addresses show how the network is built. They help whoever finds a way to make a server send requests for them.',
  fix: 'Remove X-Backend-Server and X-Served-By in the proxy, and build redirects from the public name of the site.',
  references: ['https://owasp.org/www-project-secure-headers/#prevent-information-disclosure-via-http-headers'],
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
    { name: 'a machine', given: { headers: { 'X-Backend-Server': 'srv-7.dc2' } }, fails: 1 },
    { name: 'an internal name', given: servedBy('web03.prod.internal'), fails: 1 },
    { name: 'a numbered machine', given: servedBy('web-03'), fails: 1 },
    { name: 'an internal address with its port', given: servedBy('192.168.4.2:8080'), fails: 1 },
    { name: 'an internal IPv6 address', given: servedBy('fd00::7'), fails: 1 },
    { name: 'an address in a name', given: servedBy('ip-10-0-3-7.eu-west-1.compute.internal'), fails: 1 },
    { name: 'a redirect to an internal address', given: leadsTo('http://10.1.2.3:8080/login'), fails: 1 },
    { name: 'places of a delivery network', given: servedBy('cache-fra1234-FRA, cache-ams21045-AMS'), fails: 0 },
    { name: 'a public address', given: servedBy('192.0.43.8'), fails: 0 },
    { name: 'a redirect to a name', given: leadsTo('https://www.site.example/'), fails: 0 },
    { name: 'a redirect without a host', given: leadsTo('/login?next=http://10.1.2.3/'), fails: 0 },
    {
      name: 'a redirect of a site that is itself at such an address',
      given: {
        url: 'http://10.1.2.3/home',
        before: [{ url: 'http://10.1.2.3/', headers: { location: 'http://10.1.2.3/home' } }],
      },
      fails: 0,
    },
    { name: 'none of them', given: {}, fails: 0 },
  ],
});
