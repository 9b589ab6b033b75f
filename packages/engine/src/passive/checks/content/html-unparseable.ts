import { definePassiveCheck } from '../../define-passive-check.ts';

/** Hardly a page is without any. */
const MOST_ERRORS = 100;
/** More than one in so many characters. */
const CHARACTERS = 200;

export default definePassiveCheck({
  id: 'html-unparseable',
  group: 'content',
  severity: 'INFO',
  cwe: 436,
  title: 'What is sent as a page can hardly be read as one',
  why: 'Browsers and filters make different things of it, and what one takes for text another may run. Of such a page this scan sees less than of others.',
  fix: 'Send what is no page with a content type of its own, and mend the markup of what is one.',
  references: ['https://html.spec.whatwg.org/multipage/parsing.html#parse-errors'],
  needs: ['mainDocument', 'page'],

  *run({ mainDocument: { body }, page }) {
    if (page.errors <= MOST_ERRORS || page.errors < body.length / CHARACTERS) return;
    yield { evidence: `${page.errors} places in ${body.length} characters are no HTML` };
  },

  examples: [
    { name: 'something else', given: { body: '\u0001\u0002<\u0000</\u0003'.repeat(100) }, fails: 1 },
    { name: 'a page', given: { body: '<!doctype html><h1>Hello</h1>'.repeat(100) }, fails: 0 },
    { name: 'a few slips', given: { body: '<a href=x href=y></>'.repeat(40) }, fails: 0 },
    { name: 'a long page with many', given: { body: `<a href=x href=y>${'text '.repeat(100)}`.repeat(200) }, fails: 0 },
    {
      name: 'something else that says so',
      given: { headers: { 'content-type': 'image/png' }, body: '\u0001\u0002<\u0000</\u0003'.repeat(100) },
      fails: 0,
    },
  ],
});
