import { tokenOf } from '../../../evidence/page/structured.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const sent = (value: string) => ({ headers: { 'cross-origin-opener-policy': value } });

export default definePassiveCheck({
  id: 'coop-missing',
  group: 'headers',
  severity: 'INFO',
  cwe: 693,
  title: 'Cross-Origin-Opener-Policy (COOP) header missing',
  why: "The page sends no Cross-Origin-Opener-Policy, so a site that opens it in a window keeps a reference to that window. An attacker's page can observe how it loads (XS-Leaks) and navigate it to a phishing page (tabnabbing). The evidence shows the header as sent.",
  fix: 'Send Cross-Origin-Opener-Policy: same-origin, or same-origin-allow-popups if the site signs users in through a popup. Test that sign-in afterwards.',
  recipe: { header: ['Cross-Origin-Opener-Policy', 'same-origin'] },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/XS_Leaks_Cheat_Sheet.html',
    'https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Headers_Cheat_Sheet.html',
    'https://html.spec.whatwg.org/multipage/browsers.html#cross-origin-opener-policies',
    'https://cwe.mitre.org/data/definitions/693.html',
  ],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    // Browsers apply COOP over HTTPS only.
    if (!mainDocument.isHtml || mainDocument.url.protocol !== 'https:') return;
    const values = mainDocument.headers('cross-origin-opener-policy');
    if (values.length > 0 && tokenOf(values) !== 'unsafe-none') return;
    yield { evidence: mainDocument.headerLines('cross-origin-opener-policy') };
  },

  examples: [
    { name: 'not sent', given: {}, fails: 1 },
    { name: 'unsafe-none', given: sent('unsafe-none; report-to="coop"'), fails: 1 },
    { name: 'same-origin', given: sent('same-origin; report-to="coop"'), fails: 0 },
    { name: 'same-origin-allow-popups', given: sent('same-origin-allow-popups'), fails: 0 },
    { name: 'invalid value (coop-coep-corp-invalid)', given: sent('sameorigin'), fails: 0 },
    { name: 'HTTP', given: { url: 'http://site.example/' }, fails: 0 },
    { name: 'not HTML', given: { headers: { 'content-type': 'application/json' } }, fails: 0 },
  ],
});
