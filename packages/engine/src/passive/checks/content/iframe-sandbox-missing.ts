import { foreignLoads } from '../../../evidence/page/foreign-loads.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'iframe-sandbox-missing',
  group: 'content',
  severity: 'INFO',
  cwe: 829,
  title: 'Third-party iframe without sandbox attribute',
  why: 'The page embeds another site in an iframe without the sandbox attribute. If that site is compromised, its content can open windows, start downloads and navigate the page of the user elsewhere. Payment and video services often need these permissions.',
  fix: 'Add a sandbox attribute with the permissions that the content needs, for example sandbox="allow-scripts allow-forms". Do not combine allow-scripts and allow-same-origin for content of your own origin.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/HTML5_Security_Cheat_Sheet.html#sandboxed-frames',
    'https://html.spec.whatwg.org/multipage/iframe-embed-object.html#attr-iframe-sandbox',
    'https://cwe.mitre.org/data/definitions/829.html',
  ],
  needs: ['mainDocument', 'page'],

  *run({ mainDocument: { url }, page }) {
    for (const { element, url: source } of foreignLoads(page, url)) {
      if (element.name !== 'iframe' || element.attributes.has('sandbox')) continue;
      yield { evidence: `<iframe> embeds ${source.origin}${source.pathname}` };
    }
  },

  examples: [
    { name: 'third-party iframe', given: { body: '<iframe src="https://video.example/1"></iframe>' }, fails: 1 },
    { name: 'with sandbox', given: { body: '<iframe sandbox src="https://video.example/1"></iframe>' }, fails: 0 },
    {
      name: 'iframe of the same site',
      given: { body: '<iframe src="https://help.site.example/"></iframe>' },
      fails: 0,
    },
    { name: 'about:blank', given: { body: '<iframe src="about:blank"></iframe>' }, fails: 0 },
  ],
});
