import { definePassiveCheck } from '../../define-passive-check.ts';

/** Most pages have some parse errors. */
const MOST_ERRORS = 100;
/** Reported from one parse error per so many characters. */
const CHARACTERS = 200;

export default definePassiveCheck({
  id: 'html-unparseable',
  group: 'content',
  severity: 'INFO',
  cwe: 436,
  title: 'Malformed HTML: response cannot be parsed reliably',
  why: 'The response has the content type HTML but contains very many parse errors. Browsers and filters interpret malformed markup differently, which attackers use to bypass sanitizers (mutation XSS). Checks of the page content are less reliable for this page.',
  fix: 'Send non-HTML content with its correct Content-Type. Validate and fix the markup of HTML pages.',
  references: [
    'https://html.spec.whatwg.org/multipage/parsing.html#parse-errors',
    'https://cheatsheetseries.owasp.org/cheatsheets/Cross_Site_Scripting_Prevention_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/436.html',
  ],
  needs: ['mainDocument', 'page'],

  *run({ mainDocument: { body }, page }) {
    if (page.errors <= MOST_ERRORS || page.errors < body.length / CHARACTERS) return;
    yield { evidence: `${page.errors} parse errors in ${body.length} characters` };
  },

  examples: [
    { name: 'binary data', given: { body: '\u0001\u0002<\u0000</\u0003'.repeat(100) }, fails: 1 },
    { name: 'valid page', given: { body: '<!doctype html><h1>Hello</h1>'.repeat(100) }, fails: 0 },
    { name: 'few parse errors', given: { body: '<a href=x href=y></>'.repeat(40) }, fails: 0 },
    {
      name: 'long page with sparse parse errors',
      given: { body: `<a href=x href=y>${'text '.repeat(100)}`.repeat(200) },
      fails: 0,
    },
    {
      name: 'binary data with its own content type',
      given: { headers: { 'content-type': 'image/png' }, body: '\u0001\u0002<\u0000</\u0003'.repeat(100) },
      fails: 0,
    },
  ],
});
