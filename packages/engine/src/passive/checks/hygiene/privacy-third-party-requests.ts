import { foreignLoads, hostsOf } from '../../../evidence/page/foreign-loads.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'privacy-third-party-requests',
  group: 'hygiene',
  severity: 'INFO',
  cwe: 359,
  title: 'Third-party requests disclose visitors to other hosts',
  why: 'The page loads resources from third-party hosts. Each of them receives the IP address of the visitor and often the URL of the page, and an attacker who compromises one can change what your visitors load. Requests that scripts add at run time are not counted. The evidence lists the hosts.',
  fix: 'Self-host what you can, load the rest after consent, and pin third-party scripts with Subresource Integrity (SRI). A Content-Security-Policy keeps further hosts from being added unnoticed.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Third_Party_Javascript_Management_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/359.html',
  ],
  needs: ['mainDocument', 'page'],

  *run({ mainDocument: { url }, page }) {
    const hosts = hostsOf(foreignLoads(page, url));
    if (hosts.length > 0) yield { evidence: `${hosts.length} hosts: ${hosts.join(', ')}` };
  },

  examples: [
    {
      name: 'image and script',
      given: { body: '<img src="//a.example/a"><script src="//b.example/b"></script>' },
      fails: 1,
    },
    {
      name: 'own host and subdomain',
      given: { body: '<img src="/a"><script src="//static.site.example/b"></script>' },
      fails: 0,
    },
    { name: 'links', given: { body: '<a href="https://a.example/">a</a>' }, fails: 0 },
  ],
});
