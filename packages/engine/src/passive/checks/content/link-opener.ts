import { baseOf } from '../../../evidence/page/loads.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const LINKS = new Set(['a', 'area', 'form']);
const OWN_WINDOW = /^(_self|_top|_parent)?$/i;

export default definePassiveCheck({
  id: 'link-opener',
  group: 'content',
  severity: 'LOW',
  cwe: 1022,
  title: 'A link gives another site power over this window',
  why: 'With rel="opener" the other site can send this window to another address while the visitor looks at the new one.',
  fix: 'Remove opener from rel; browsers then keep the windows apart.',
  references: ['https://html.spec.whatwg.org/multipage/links.html#link-type-opener'],
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
      if (isOpened && isForeign && isGiven) yield { evidence: `<${name} rel=opener> leads to ${target.origin}` };
    }
  },

  examples: [
    { name: 'opener', given: { body: '<a target=_blank rel=opener href="https://a.example/">a</a>' }, fails: 1 },
    { name: 'what is the default now', given: { body: '<a target=_blank href="https://a.example/">a</a>' }, fails: 0 },
    {
      name: 'taken back',
      given: { body: '<a target=x rel="opener noopener" href="https://a.example/">a</a>' },
      fails: 0,
    },
    { name: 'to itself', given: { body: '<a target=_blank rel=opener href="/help">Help</a>' }, fails: 0 },
    { name: 'in the same window', given: { body: '<a rel=opener href="https://a.example/">a</a>' }, fails: 0 },
  ],
});
