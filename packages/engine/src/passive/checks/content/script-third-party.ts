import { foreignLoads, hostsOf } from '../../../evidence/page/foreign-loads.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'script-third-party',
  group: 'content',
  severity: 'INFO',
  cwe: 829,
  title: 'Scripts of other sites run in the page',
  why: 'They can do whatever the page can. The list shows whom visitors have to trust besides this site.',
  fix: 'Keep those that are needed, and restrict them with a Content-Security-Policy and hashes.',
  references: ['https://cheatsheetseries.owasp.org/cheatsheets/Third_Party_Javascript_Management_Cheat_Sheet.html'],
  needs: ['mainDocument', 'page'],

  *run({ mainDocument: { url }, page }) {
    const hosts = hostsOf(foreignLoads(page, url).filter(({ kind }) => kind === 'script'));
    if (hosts.length > 0) yield { evidence: hosts.join('\n') };
  },

  examples: [
    {
      name: 'two scripts of one host, and one of another',
      given: {
        body: ['a.example/1', 'a.example/2', 'b.example/3'].map((at) => `<script src="//${at}"></script>`).join(''),
      },
      fails: 1,
    },
    { name: 'scripts of its own', given: { body: '<script src="//static.site.example/a.js"></script>' }, fails: 0 },
    { name: 'an image', given: { body: '<img src="https://a.example/a.png">' }, fails: 0 },
    { name: 'data', given: { body: '<script type="application/json" src="//a.example/a.json"></script>' }, fails: 0 },
  ],
});
