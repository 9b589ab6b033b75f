import { insecureLoads } from '../../../evidence/page/insecure-loads.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const html = (body: string) => ({ body });

export default definePassiveCheck({
  id: 'mixed-content-active',
  group: 'content',
  severity: 'MEDIUM',
  cwe: 311,
  title: 'The page loads something that can change it over plain http',
  why: 'A script, style or frame that comes without encryption can be replaced on the way, and then does what it likes in the page. Browsers refuse to load it, so that the page is broken for honest visitors as well.',
  fix: 'Load it from an https address.',
  references: ['https://www.w3.org/TR/mixed-content/', 'https://developer.mozilla.org/docs/Web/Security/Mixed_content'],
  needs: ['mainDocument', 'page', 'policies'],

  *run({ mainDocument: { url }, page, policies: { enforced } }) {
    const isUpgraded = enforced.some(({ directives }) => directives.has('upgrade-insecure-requests'));
    for (const load of insecureLoads(page, url)) {
      if (load.kind === 'image' || load.kind === 'media') continue;
      yield {
        evidence: `<${load.element.name}> loads ${load.url.href}`,
        ...(isUpgraded && { severity: 'INFO' as const }),
      };
    }
  },

  examples: [
    { name: 'a script', given: html('<script src="http://cdn.example/a.js"></script>'), fails: 1 },
    {
      name: 'a style, a frame and an object',
      given: html(
        '<link rel=stylesheet href="http://a.example/a.css"><iframe src="http://a.example/"></iframe><object data="http://a.example/x">',
      ),
      fails: 3,
    },
    { name: 'by the base', given: html('<base href="http://cdn.example/"><script src="a.js"></script>'), fails: 1 },
    {
      name: 'a policy that makes it https',
      given: {
        ...html('<script src="http://cdn.example/a.js"></script>'),
        headers: { 'content-security-policy': 'upgrade-insecure-requests' },
      },
      fails: 1,
      severity: 'INFO',
    },
    { name: 'https', given: html('<script src="https://cdn.example/a.js"></script>'), fails: 0 },
    { name: 'without a scheme', given: html('<script src="//cdn.example/a.js"></script>'), fails: 0 },
    {
      name: 'in comments, text, links and templates',
      given: html(
        '<!-- <script src="http://a.example/a.js"></script> --><a href="http://a.example/">http://a.example/a.js</a><template><script src="http://a.example/a.js"></script></template>',
      ),
      fails: 0,
    },
    {
      name: 'what is no script',
      given: html('<script type="text/template" src="http://a.example/a.html"></script>'),
      fails: 0,
    },
    { name: 'the own machine', given: html('<script src="http://localhost:3000/a.js"></script>'), fails: 0 },
    {
      name: 'a page on plain http',
      given: { url: 'http://site.example/', ...html('<script src="http://a.example/a.js"></script>') },
      fails: 0,
    },
  ],
});
