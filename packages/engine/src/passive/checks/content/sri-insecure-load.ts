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
  title: 'Third-party script loaded over HTTP (SRI not effective)',
  why: 'The page loads a script from another host over unencrypted HTTP. An attacker on the network path can replace it and execute code in the page. Subresource Integrity (SRI) does not help if the page itself is loaded over HTTP, because the attacker can change the hash as well.',
  fix: 'Load the script over HTTPS and serve the page over HTTPS. Add an integrity attribute afterwards.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Third_Party_Javascript_Management_Cheat_Sheet.html',
    'https://www.w3.org/TR/SRI/',
    'https://cwe.mitre.org/data/definitions/829.html',
  ],
  needs: ['mainDocument', 'page'],
  suppressedBy: ['mixed-content-active', 'https-missing'],

  *run({ mainDocument: { url }, page }) {
    for (const load of loadsOf(page, url)) {
      const isInsecure = load.kind === 'script' && load.url.protocol === 'http:' && load.url.hostname !== url.hostname;
      if (isInsecure) yield { evidence: `<${load.element.name}> loads ${load.url.href}` };
    }
  },

  examples: [
    { name: 'HTTP script', given: script('src="http://cdn.example/a.js"'), fails: 1 },
    {
      name: 'HTTP script with integrity',
      given: script('src="http://cdn.example/a.js" integrity="sha384-x"'),
      fails: 1,
    },
    {
      name: 'protocol-relative URL on an HTTP page',
      given: script('src="//cdn.example/a.js"', 'http://site.example/'),
      fails: 1,
    },
    { name: 'protocol-relative URL on an HTTPS page', given: script('src="//cdn.example/a.js"'), fails: 0 },
    { name: 'HTTPS script', given: script('src="https://cdn.example/a.js"'), fails: 0 },
    { name: 'script of the same host', given: script('src="/a.js"', 'http://site.example/'), fails: 0 },
    { name: 'in a comment', given: { body: '<!-- <script src="http://cdn.example/a.js"></script> -->' }, fails: 0 },
  ],
});
