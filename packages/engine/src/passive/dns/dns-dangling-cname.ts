import { getDomain } from 'tldts';
import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'dns-dangling-cname',
  group: 'dns',
  severity: 'HIGH',
  cwe: 672,
  title: 'A name points to another one that does not exist',
  why: 'Whoever registers the missing name, or orders it at the service it belonged to, answers under the name of this site: with its cookies, its certificates and its reputation.',
  fix: 'Remove the CNAME record, or bring back what it points to.',
  references: [
    'https://www.rfc-editor.org/rfc/rfc1034#section-3.6.2',
    'https://cwe.mitre.org/data/definitions/672.html',
  ],
  needs: ['hostNames'],

  *run({ hostNames }) {
    if (!hostNames) return;
    for (const one of [hostNames.site, hostNames.counterpart]) {
      if (!one?.isDangling) continue;
      const end = one.aliases.at(-1) ?? '';
      // In the same hands, nobody else can take it.
      const isOwn = getDomain(end) === hostNames.domain;
      const evidence = `${[one.host, ...one.aliases].join(' → ')}, which does not exist`;
      yield { evidence, severity: isOwn ? 'LOW' : 'HIGH' };
    }
  },

  examples: [
    {
      name: 'an alias of a service that was given up',
      given: {
        dns: { hostNames: { counterpart: { aliases: ['site.service.example'], isDangling: true, ipv4: [] } } },
      },
      fails: 1,
    },
    {
      name: 'an alias within the domain',
      given: { dns: { hostNames: { counterpart: { aliases: ['web.site.example'], isDangling: true, ipv4: [] } } } },
      fails: 1,
      severity: 'LOW',
    },
    {
      name: 'an alias that leads somewhere',
      given: { dns: { hostNames: { site: { aliases: ['site.service.example'] } } } },
      fails: 0,
    },
    { name: 'a site without a name', given: { dns: null }, fails: 0 },
  ],
});
