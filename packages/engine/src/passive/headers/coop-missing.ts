import { definePassiveCheck } from '../../check.ts';
import { tokenOf } from '../../evidence/structured.ts';

const sent = (value: string) => ({ headers: { 'cross-origin-opener-policy': value } });

export default definePassiveCheck({
  id: 'coop-missing',
  group: 'headers',
  severity: 'INFO',
  cwe: 693,
  title: 'Windows of other sites keep a handle on this page',
  why: 'A site that opens this page in a window can watch how it loads and send it elsewhere, unless Cross-Origin-Opener-Policy separates the two.',
  fix: 'Send Cross-Origin-Opener-Policy: same-origin, or same-origin-allow-popups where a sign-in opens in a window of its own; try that sign-in afterwards.',
  recipe: { header: ['Cross-Origin-Opener-Policy', 'same-origin'] },
  references: ['https://html.spec.whatwg.org/multipage/browsers.html#cross-origin-opener-policies'],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    // Browsers heed it on https only.
    if (!mainDocument.isHtml || mainDocument.url.protocol !== 'https:') return;
    const values = mainDocument.headers('cross-origin-opener-policy');
    if (values.length > 0 && tokenOf(values) !== 'unsafe-none') return;
    yield { evidence: mainDocument.headerLines('cross-origin-opener-policy') };
  },

  examples: [
    { name: 'not sent', given: {}, fails: 1 },
    { name: 'unsafe-none', given: sent('unsafe-none; report-to="coop"'), fails: 1 },
    { name: 'same-origin', given: sent('same-origin; report-to="coop"'), fails: 0 },
    { name: 'popups that a sign-in needs', given: sent('same-origin-allow-popups'), fails: 0 },
    { name: 'an unknown word, which another check judges', given: sent('sameorigin'), fails: 0 },
    { name: 'plain http', given: { url: 'http://site.example/' }, fails: 0 },
    { name: 'no page', given: { headers: { 'content-type': 'application/json' } }, fails: 0 },
  ],
});
