import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'dns-ipv6-missing',
  group: 'dns',
  severity: 'INFO',
  cwe: null,
  title: 'No IPv6 address (AAAA record missing)',
  why: 'The hostname has no AAAA record, so clients in IPv6-only networks reach the site only through NAT64 or carrier-grade NAT of their provider. Many users then share one source address, which makes rate limits and bans by IP address less precise. This is a note on reachability, not a vulnerability.',
  fix: 'Enable IPv6 on the server or the CDN and publish an AAAA record. Apply the same firewall rules to IPv6 as to IPv4.',
  references: ['https://www.rfc-editor.org/rfc/rfc6540'],
  needs: ['hostNames'],

  *run({ hostNames }) {
    const site = hostNames?.site;
    if (site && site.ipv6.length === 0) yield { evidence: `No AAAA record for ${site.host}` };
  },

  examples: [
    { name: 'A record only', given: { dns: { hostNames: { site: { ipv6: [] } } } }, fails: 1 },
    { name: 'A and AAAA records', given: {}, fails: 0 },
    { name: 'target without a hostname', given: { dns: null }, fails: 0 },
  ],
});
