import { getDomain } from 'tldts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'dns-dangling-cname',
  group: 'dns',
  severity: 'HIGH',
  cwe: 672,
  title: 'Dangling CNAME record: subdomain takeover risk',
  why: 'A CNAME record points to a hostname that does not exist. An attacker who registers that domain, or claims the name at the service it belonged to, serves content under your hostname, receives its cookies and can obtain certificates for it. The evidence shows the CNAME chain that ends in NXDOMAIN.',
  fix: 'Delete the CNAME record, or recreate the resource it points to. When you decommission a service, remove its DNS records first.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/10-Test_for_Subdomain_Takeover',
    'https://www.rfc-editor.org/rfc/rfc1034#section-3.6.2',
    'https://cwe.mitre.org/data/definitions/672.html',
  ],
  needs: ['hostNames'],

  *run({ hostNames }) {
    if (!hostNames) return;
    for (const one of [hostNames.site, hostNames.counterpart]) {
      if (!one?.isDangling) continue;
      const end = one.aliases.at(-1) ?? '';
      // Only the owner of the domain can create a name inside it, so there is no takeover.
      const isOwn = getDomain(end) === hostNames.domain;
      const evidence = `${[one.host, ...one.aliases].join(' → ')} (NXDOMAIN)`;
      yield { evidence, severity: isOwn ? 'LOW' : 'HIGH' };
    }
  },

  examples: [
    {
      name: 'CNAME to a decommissioned service',
      given: {
        dns: { hostNames: { counterpart: { aliases: ['site.service.example'], isDangling: true, ipv4: [] } } },
      },
      fails: 1,
    },
    {
      name: 'CNAME within the same domain',
      given: { dns: { hostNames: { counterpart: { aliases: ['web.site.example'], isDangling: true, ipv4: [] } } } },
      fails: 1,
      severity: 'LOW',
    },
    {
      name: 'CNAME that resolves',
      given: { dns: { hostNames: { site: { aliases: ['site.service.example'] } } } },
      fails: 0,
    },
    { name: 'target without a hostname', given: { dns: null }, fails: 0 },
  ],
});
