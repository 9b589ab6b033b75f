import { validReferrerPolicies } from '../../../evidence/page/referrer-policy.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const sent = (...values: string[]) => ({ headers: { 'referrer-policy': values } });

export default definePassiveCheck({
  id: 'referrer-policy-invalid',
  group: 'headers',
  severity: 'LOW',
  cwe: 200,
  title: 'Referrer-Policy header invalid',
  why: 'The Referrer-Policy header contains no value that browsers support, so they ignore it and fall back to their default. Other sites, including any that an attacker controls, may receive more of the URL than you intended. The evidence shows the header as sent.',
  fix: 'Send a valid value, for example Referrer-Policy: strict-origin-when-cross-origin. If you send a list as a fallback, put the preferred value last.',
  recipe: { header: ['Referrer-Policy', 'strict-origin-when-cross-origin'] },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Headers_Cheat_Sheet.html',
    'https://www.w3.org/TR/referrer-policy/#referrer-policy-header',
    'https://cwe.mitre.org/data/definitions/200.html',
  ],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    const values = mainDocument.headers('referrer-policy');
    if (values.length === 0 || validReferrerPolicies(values).length > 0) return;
    yield { evidence: mainDocument.headerLines('referrer-policy') };
  },

  examples: [
    { name: 'unknown value', given: sent('strict'), fails: 1 },
    { name: 'empty', given: sent(''), fails: 1 },
    { name: 'quoted value', given: sent('"no-referrer"'), fails: 1 },
    { name: 'valid value', given: sent('No-Referrer'), fails: 0 },
    { name: 'valid value in a list', given: sent('tomorrow, origin'), fails: 0 },
    { name: 'not sent', given: {}, fails: 0 },
  ],
});
