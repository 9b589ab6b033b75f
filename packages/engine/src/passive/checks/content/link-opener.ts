import { baseOf } from '../../../evidence/page/loads.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const LINKS = new Set(['a', 'area', 'form']);
const OWN_WINDOW = /^(_self|_top|_parent)?$/i;

export default definePassiveCheck({
  id: 'link-opener',
  group: 'content',
  severity: 'LOW',
  cwe: 1022,
  title: 'Reverse tabnabbing: external link with rel=opener',
  why: 'A link or form opens another site in a new window with rel=opener. That site can navigate the original window through window.opener, for example to a phishing page, while the user looks at the new one (reverse tabnabbing). Browsers prevent this by default.',
  fix: 'Remove opener from the rel attribute. Use rel="noopener" for links that must work in old browsers.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/HTML5_Security_Cheat_Sheet.html#tabnabbing',
    'https://html.spec.whatwg.org/multipage/links.html#link-type-opener',
    'https://cwe.mitre.org/data/definitions/1022.html',
  ],
  needs: ['mainDocument', 'page'],

  *run({ mainDocument: { url }, page }) {
    const base = baseOf(page, url).href;
    for (const { name, attributes } of page.elements) {
      if (!LINKS.has(name) || !attributes.has('rel')) continue;
      const relations = new Set((attributes.get('rel') ?? '').toLowerCase().split(/\s+/));
      const target = URL.parse(attributes.get(name === 'form' ? 'action' : 'href') ?? '', base);
      const isForeign = target !== null && /^https?:$/.test(target.protocol) && target.origin !== url.origin;
      const isOpened = !OWN_WINDOW.test(attributes.get('target')?.trim() ?? '');
      const isGiven = relations.has('opener') && !relations.has('noopener') && !relations.has('noreferrer');
      if (isOpened && isForeign && isGiven) yield { evidence: `<${name} rel=opener> links to ${target.origin}` };
    }
  },

  examples: [
    { name: 'rel=opener', given: { body: '<a target=_blank rel=opener href="https://a.example/">a</a>' }, fails: 1 },
    { name: 'no rel attribute', given: { body: '<a target=_blank href="https://a.example/">a</a>' }, fails: 0 },
    {
      name: 'opener overridden by noopener',
      given: { body: '<a target=x rel="opener noopener" href="https://a.example/">a</a>' },
      fails: 0,
    },
    { name: 'link within the site', given: { body: '<a target=_blank rel=opener href="/help">Help</a>' }, fails: 0 },
    { name: 'link in the same window', given: { body: '<a rel=opener href="https://a.example/">a</a>' }, fails: 0 },
  ],
});
