import { insecureLoads } from '../../../evidence/page/insecure-loads.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'mixed-content-passive',
  group: 'content',
  severity: 'LOW',
  cwe: 311,
  title: 'The page loads images or media over plain http',
  why: 'Anybody on the way sees which page is read, and can put other pictures in it. Some browsers ask for https instead, and show nothing where that does not answer.',
  fix: 'Load them from https addresses.',
  references: ['https://www.w3.org/TR/mixed-content/', 'https://developer.mozilla.org/docs/Web/Security/Mixed_content'],
  needs: ['mainDocument', 'page', 'policies'],

  *run({ mainDocument: { url }, page, policies: { enforced } }) {
    if (enforced.some(({ directives }) => directives.has('upgrade-insecure-requests'))) return;
    for (const load of insecureLoads(page, url)) {
      if (load.kind !== 'image' && load.kind !== 'media') continue;
      yield { evidence: `<${load.element.name}> loads ${load.url.href}` };
    }
  },

  examples: [
    { name: 'an image', given: { body: '<img src="http://a.example/a.png">' }, fails: 1 },
    { name: 'one of a set', given: { body: '<img srcset="/a.png 1x, http://a.example/b.png 2x">' }, fails: 1 },
    {
      name: 'a film and its picture',
      given: { body: '<video src="http://a.example/a" poster="http://a.example/b">' },
      fails: 2,
    },
    { name: 'https', given: { body: '<img src="https://a.example/a.png">' }, fails: 0 },
    {
      name: 'a script, which another check judges',
      given: { body: '<script src="http://a.example/a.js"></script>' },
      fails: 0,
    },
    {
      name: 'in the text of a noscript',
      given: { body: '<noscript><img src="http://a.example/a.png"></noscript>' },
      fails: 0,
    },
    {
      name: 'a policy that makes it https',
      given: {
        body: '<img src="http://a.example/a.png">',
        headers: { 'content-security-policy': 'upgrade-insecure-requests' },
      },
      fails: 0,
    },
  ],
});
