import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'dns-ns-single',
  group: 'dns',
  severity: 'LOW',
  cwe: 1188,
  title: 'The domain hangs on one name server or one network',
  why: 'When it fails or is flooded, the site and its mail are gone, however many servers they have.',
  fix: 'Have at least two name servers in different networks.',
  references: ['https://www.rfc-editor.org/rfc/rfc2182#section-3.1'],
  needs: ['nameServers'],

  *run({ nameServers }) {
    if (!nameServers) return;
    const { domain, names, networks } = nameServers;
    if (names.length === 1) yield { evidence: `NS ${domain}: ${names[0]} alone` };
    // Behind one address there may be machines all over the world.
    else if (networks?.length === 1) {
      yield { evidence: `NS ${domain}: ${names.join(', ')}, all in ${networks[0]}`, severity: 'INFO' };
    }
  },

  examples: [
    { name: 'one name server', given: { dns: { nameServers: { names: ['ns.example'], networks: null } } }, fails: 1 },
    {
      name: 'two in one network',
      given: { dns: { nameServers: { networks: ['192.0.2.0/24'] } } },
      fails: 1,
      severity: 'INFO',
    },
    { name: 'two in two networks', given: {}, fails: 0 },
    { name: 'two whose networks are not known', given: { dns: { nameServers: { networks: null } } }, fails: 0 },
  ],
});
