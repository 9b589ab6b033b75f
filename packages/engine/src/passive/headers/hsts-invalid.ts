import { definePassiveCheck } from '../../check.ts';
import { hstsOf } from '../../evidence/hsts.ts';

const sent = (...values: string[]) => ({ headers: { 'strict-transport-security': values } });

export default definePassiveCheck({
  id: 'hsts-invalid',
  group: 'headers',
  severity: 'MEDIUM',
  cwe: 319,
  title: 'Browsers cannot read the Strict-Transport-Security header',
  why: 'A browser drops a header that is not written as the standard says, so that visitors are as unprotected on plain http as if it were not there.',
  fix: 'Send the header as Strict-Transport-Security: max-age=31536000; includeSubDomains. If a proxy adds it too, remove it in one of both places.',
  recipe: { header: ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'] },
  references: ['https://www.rfc-editor.org/rfc/rfc6797#section-6.1'],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    const hsts = hstsOf(mainDocument);
    if (hsts.state !== 'INVALID') return;
    yield { evidence: `${hsts.problem}\n${mainDocument.headerLines('strict-transport-security')}` };
  },

  examples: [
    { name: 'sent twice, the first one invalid', given: sent('includeSubDomains', 'max-age=31536000'), fails: 1 },
    { name: 'two values in one header', given: sent('max-age=31536000, max-age=0'), fails: 1 },
    { name: 'no max-age', given: sent('includeSubDomains'), fails: 1 },
    { name: 'empty', given: sent(''), fails: 1 },
    { name: 'max-age without a number', given: sent('max-age=year'), fails: 1 },
    { name: 'a negative max-age', given: sent('max-age=-1'), fails: 1 },
    { name: 'max-age twice', given: sent('max-age=1; MAX-AGE=31536000'), fails: 1 },
    { name: 'includeSubDomains twice', given: sent('max-age=1; includeSubDomains; includesubdomains'), fails: 1 },
    { name: 'quotes round the directive', given: sent('"max-age=31536000"'), fails: 1 },
    { name: 'letters that are not ASCII', given: sent('max‑age=31536000'), fails: 1 },
    { name: 'a word before max-age', given: sent('always max-age=31536000'), fails: 1 },
    { name: 'a comma instead of a semicolon', given: sent('max-age=31536000, includeSubDomains'), fails: 1 },
    { name: 'sent twice: browsers heed the first one', given: sent('max-age=31536000', 'max-age=0; x y'), fails: 0 },
    { name: 'as it should be', given: sent('max-age=31536000; includeSubDomains; preload'), fails: 0 },
    { name: 'quotes round the value, which are legal', given: sent('max-age="31536000"'), fails: 0 },
    { name: 'other letters and spaces', given: sent(' Max-Age = 31536000 ;includeSUBdomains;'), fails: 0 },
    { name: 'preload twice, which browsers pass over', given: sent('preload; max-age=31536000; preload'), fails: 0 },
    { name: 'a directive of tomorrow', given: sent('max-age=31536000; future=1'), fails: 0 },
    {
      name: 'on plain http, where it is ignored',
      given: { ...sent('nonsense'), url: 'http://site.example/' },
      fails: 0,
    },
    { name: 'not sent, which another check judges', given: {}, fails: 0 },
  ],
});
