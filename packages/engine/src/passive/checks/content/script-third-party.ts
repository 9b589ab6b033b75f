import { foreignLoads, hostsOf } from '../../../evidence/page/foreign-loads.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'script-third-party',
  group: 'content',
  severity: 'INFO',
  cwe: 829,
  title: 'Third-party scripts run in the page',
  why: 'The page loads scripts from other sites, which run with full access to the page. An attacker who compromises one of these hosts can steal sessions and input of your users (supply chain attack). The evidence lists the hosts.',
  fix: 'Remove scripts that are not needed and host the others on this site where possible. Restrict the rest with a Content-Security-Policy and Subresource Integrity (SRI).',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Third_Party_Javascript_Management_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/829.html',
  ],
  needs: ['mainDocument', 'page'],

  *run({ mainDocument: { url }, page }) {
    const hosts = hostsOf(foreignLoads(page, url).filter(({ kind }) => kind === 'script'));
    if (hosts.length > 0) yield { evidence: hosts.join('\n') };
  },

  examples: [
    {
      name: 'three scripts from two hosts',
      given: {
        body: ['a.example/1', 'a.example/2', 'b.example/3'].map((at) => `<script src="//${at}"></script>`).join(''),
      },
      fails: 1,
    },
    {
      name: 'script of the same site',
      given: { body: '<script src="//static.site.example/a.js"></script>' },
      fails: 0,
    },
    { name: 'image', given: { body: '<img src="https://a.example/a.png">' }, fails: 0 },
    {
      name: 'data block',
      given: { body: '<script type="application/json" src="//a.example/a.json"></script>' },
      fails: 0,
    },
  ],
});
