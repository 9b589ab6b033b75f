import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'dns-ipv6-missing',
  group: 'dns',
  severity: 'INFO',
  cwe: null,
  title: 'The site has no IPv6 address',
  why: 'Visitors in networks without IPv4 reach it through translators of their provider, which many of them share.',
  fix: 'Give the site an IPv6 address and an AAAA record.',
  references: ['https://www.rfc-editor.org/rfc/rfc6540'],
  needs: ['hostNames'],

  *run({ hostNames }) {
    const site = hostNames?.site;
    if (site && site.ipv6.length === 0) yield { evidence: `No AAAA record for ${site.host}` };
  },

  examples: [
    { name: 'IPv4 only', given: { dns: { hostNames: { site: { ipv6: [] } } } }, fails: 1 },
    { name: 'both', given: {}, fails: 0 },
    { name: 'a site without a name', given: { dns: null }, fails: 0 },
  ],
});
