import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'dns-ns-single',
  group: 'dns',
  severity: 'LOW',
  cwe: 1188,
  title: 'DNS without redundancy: name servers share one host or network',
  why: 'All authoritative name servers of the domain are one host or in one network. An outage or a denial-of-service (DoS) attack there takes the site and its mail offline, regardless of how many web servers there are. The evidence lists the NS records and their network.',
  fix: 'Publish at least two name servers in different networks, if possible of different providers. Most registrars and DNS providers offer a secondary name server that follows the primary by zone transfer.',
  references: [
    'https://www.rfc-editor.org/rfc/rfc2182#section-3.1',
    'https://cwe.mitre.org/data/definitions/1188.html',
  ],
  needs: ['nameServers'],

  *run({ nameServers }) {
    if (!nameServers) return;
    const { domain, names, networks } = nameServers;
    if (names.length === 1) yield { evidence: `NS ${domain}: only ${names[0]}` };
    // An anycast network can serve one prefix from many sites, so a shared network alone is weak evidence.
    else if (networks?.length === 1) {
      yield { evidence: `NS ${domain}: ${names.join(', ')}, all in ${networks[0]}`, severity: 'INFO' };
    }
  },

  examples: [
    { name: 'one name server', given: { dns: { nameServers: { names: ['ns.example'], networks: null } } }, fails: 1 },
    {
      name: 'two name servers in one network',
      given: { dns: { nameServers: { networks: ['192.0.2.0/24'] } } },
      fails: 1,
      severity: 'INFO',
    },
    { name: 'two name servers in two networks', given: {}, fails: 0 },
    { name: 'two name servers in unknown networks', given: { dns: { nameServers: { networks: null } } }, fails: 0 },
  ],
});
