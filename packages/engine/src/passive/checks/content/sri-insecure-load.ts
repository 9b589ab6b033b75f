import { loadsOf } from '../../../evidence/page/loads.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const script = (attributes: string, url = 'https://site.example/') => ({
  url,
  body: `<script ${attributes}></script>`,
});

export default definePassiveCheck({
  id: 'sri-insecure-load',
  group: 'content',
  severity: 'HIGH',
  cwe: 829,
  title: 'A script of another host is loaded over plain http',
  why: 'Anybody on the way can replace it with a script of their own, which then runs in this page. A hash does not help where the page itself comes without encryption.',
  fix: 'Load the script from an https address.',
  references: ['https://www.w3.org/TR/SRI/', 'https://cwe.mitre.org/data/definitions/829.html'],
  needs: ['mainDocument', 'page'],
  suppressedBy: ['mixed-content-active', 'https-missing'],

  *run({ mainDocument: { url }, page }) {
    for (const load of loadsOf(page, url)) {
      const isInsecure = load.kind === 'script' && load.url.protocol === 'http:' && load.url.hostname !== url.hostname;
      if (isInsecure) yield { evidence: `<${load.element.name}> loads ${load.url.href}` };
    }
  },

  examples: [
    { name: 'plain http', given: script('src="http://cdn.example/a.js"'), fails: 1 },
    { name: 'with a hash', given: script('src="http://cdn.example/a.js" integrity="sha384-x"'), fails: 1 },
    {
      name: 'without a scheme, from plain http',
      given: script('src="//cdn.example/a.js"', 'http://site.example/'),
      fails: 1,
    },
    { name: 'without a scheme, from https', given: script('src="//cdn.example/a.js"'), fails: 0 },
    { name: 'https', given: script('src="https://cdn.example/a.js"'), fails: 0 },
    { name: 'its own script', given: script('src="/a.js"', 'http://site.example/'), fails: 0 },
    { name: 'in a comment', given: { body: '<!-- <script src="http://cdn.example/a.js"></script> -->' }, fails: 0 },
  ],
});
