import { foreignLoads } from '../../../evidence/page/foreign-loads.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'iframe-sandbox-missing',
  group: 'content',
  severity: 'INFO',
  cwe: 829,
  title: 'A frame shows another site without restricting it',
  why: 'What runs in the frame can open windows and send the visitor elsewhere. Payment and video services often need that.',
  fix: 'Add a sandbox attribute with what the frame needs and nothing else.',
  references: ['https://html.spec.whatwg.org/multipage/iframe-embed-object.html#attr-iframe-sandbox'],
  needs: ['mainDocument', 'page'],

  *run({ mainDocument: { url }, page }) {
    for (const { element, url: source } of foreignLoads(page, url)) {
      if (element.name !== 'iframe' || element.attributes.has('sandbox')) continue;
      yield { evidence: `<iframe> shows ${source.origin}${source.pathname}` };
    }
  },

  examples: [
    { name: 'another site', given: { body: '<iframe src="https://video.example/1"></iframe>' }, fails: 1 },
    { name: 'with restrictions', given: { body: '<iframe sandbox src="https://video.example/1"></iframe>' }, fails: 0 },
    { name: 'its own', given: { body: '<iframe src="https://help.site.example/"></iframe>' }, fails: 0 },
    { name: 'nothing yet', given: { body: '<iframe src="about:blank"></iframe>' }, fails: 0 },
  ],
});
