import { definePassiveCheck } from '../../check.ts';
import { foreignLoads, hostsOf } from '../../evidence/foreign-loads.ts';

export default definePassiveCheck({
  id: 'privacy-third-party-requests',
  group: 'hygiene',
  severity: 'INFO',
  cwe: 359,
  title: 'The page lets other sites know about its visitors',
  why: 'Each of these hosts gets the address of a visitor, and often which page it was. Scripts may add more, which a look at the page does not show.',
  fix: 'Serve from this site what can be served from it, and load the rest when visitors agree.',
  references: ['https://cwe.mitre.org/data/definitions/359.html'],
  needs: ['mainDocument', 'page'],

  *run({ mainDocument: { url }, page }) {
    const hosts = hostsOf(foreignLoads(page, url));
    if (hosts.length > 0) yield { evidence: `${hosts.length} hosts: ${hosts.join(', ')}` };
  },

  examples: [
    {
      name: 'an image and a script',
      given: { body: '<img src="//a.example/a"><script src="//b.example/b"></script>' },
      fails: 1,
    },
    { name: 'its own', given: { body: '<img src="/a"><script src="//static.site.example/b"></script>' }, fails: 0 },
    { name: 'links', given: { body: '<a href="https://a.example/">a</a>' }, fails: 0 },
  ],
});
