import { hstsOf } from '../../../evidence/page/hsts.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const sent = (...values: string[]) => ({ headers: { 'strict-transport-security': values } });

export default definePassiveCheck({
  id: 'hsts-invalid',
  group: 'headers',
  severity: 'MEDIUM',
  cwe: 319,
  title: 'HSTS header malformed',
  why: 'The Strict-Transport-Security (HSTS) header does not follow RFC 6797, and browsers ignore it. Visitors are as exposed as without HSTS: an attacker on the network path can keep a first request on HTTP (SSL stripping) and read or change the traffic. The evidence shows the header and what is wrong with it.',
  fix: 'Send Strict-Transport-Security: max-age=31536000; includeSubDomains exactly once. If both the application and a proxy add it, remove one of them.',
  recipe: { header: ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'] },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Strict_Transport_Security_Cheat_Sheet.html',
    'https://www.rfc-editor.org/rfc/rfc6797#section-6.1',
    'https://cwe.mitre.org/data/definitions/319.html',
  ],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    const hsts = hstsOf(mainDocument);
    if (hsts.state !== 'INVALID') return;
    yield { evidence: `${hsts.problem}\n${mainDocument.headerLines('strict-transport-security')}` };
  },

  examples: [
    { name: 'sent twice, first header invalid', given: sent('includeSubDomains', 'max-age=31536000'), fails: 1 },
    { name: 'two values in one header', given: sent('max-age=31536000, max-age=0'), fails: 1 },
    { name: 'no max-age', given: sent('includeSubDomains'), fails: 1 },
    { name: 'empty', given: sent(''), fails: 1 },
    { name: 'max-age not a number', given: sent('max-age=year'), fails: 1 },
    { name: 'negative max-age', given: sent('max-age=-1'), fails: 1 },
    { name: 'max-age twice', given: sent('max-age=1; MAX-AGE=31536000'), fails: 1 },
    { name: 'includeSubDomains twice', given: sent('max-age=1; includeSubDomains; includesubdomains'), fails: 1 },
    { name: 'quoted directive', given: sent('"max-age=31536000"'), fails: 1 },
    { name: 'non-ASCII hyphen', given: sent('max‑age=31536000'), fails: 1 },
    { name: 'token before max-age', given: sent('always max-age=31536000'), fails: 1 },
    { name: 'comma instead of semicolon', given: sent('max-age=31536000, includeSubDomains'), fails: 1 },
    { name: 'sent twice, first header valid', given: sent('max-age=31536000', 'max-age=0; x y'), fails: 0 },
    { name: 'valid header', given: sent('max-age=31536000; includeSubDomains; preload'), fails: 0 },
    { name: 'quoted value', given: sent('max-age="31536000"'), fails: 0 },
    { name: 'mixed case and whitespace', given: sent(' Max-Age = 31536000 ;includeSUBdomains;'), fails: 0 },
    { name: 'preload twice (ignored by browsers)', given: sent('preload; max-age=31536000; preload'), fails: 0 },
    { name: 'unknown directive', given: sent('max-age=31536000; future=1'), fails: 0 },
    {
      name: 'over HTTP (ignored by browsers)',
      given: { ...sent('nonsense'), url: 'http://site.example/' },
      fails: 0,
    },
    { name: 'not sent (hsts-missing)', given: {}, fails: 0 },
  ],
});
