import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'nosniff-missing',
  group: 'headers',
  severity: 'LOW',
  cwe: 693,
  title: 'Browsers may guess the type of what this site sends',
  why: 'Without X-Content-Type-Options: nosniff a browser may take a file that somebody uploaded for a script or a style sheet, whatever type the site says it has.',
  fix: 'Send X-Content-Type-Options: nosniff with every answer, and a correct Content-Type.',
  recipe: { header: ['X-Content-Type-Options', 'nosniff'] },
  references: ['https://fetch.spec.whatwg.org/#x-content-type-options-header'],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    // Browsers go by the first value, be it of a list or of a repeated header.
    const [first = ''] = mainDocument.headers('x-content-type-options').join(',').split(',');
    if (first.trim().toLowerCase() !== 'nosniff')
      yield { evidence: mainDocument.headerLines('x-content-type-options') };
  },

  examples: [
    { name: 'not sent', given: {}, fails: 1 },
    { name: 'not sent on plain http', given: { url: 'http://site.example/' }, fails: 1 },
    { name: 'another word', given: { headers: { 'x-content-type-options': 'sniff' } }, fails: 1 },
    { name: 'another word first', given: { headers: { 'x-content-type-options': ['none', 'nosniff'] } }, fails: 1 },
    { name: 'nosniff', given: { headers: { 'x-content-type-options': 'nosniff' } }, fails: 0 },
    { name: 'in other letters', given: { headers: { 'X-Content-Type-Options': ' NoSniff ' } }, fails: 0 },
    { name: 'sent twice', given: { headers: { 'x-content-type-options': ['nosniff', 'nosniff'] } }, fails: 0 },
    { name: 'first of a list', given: { headers: { 'x-content-type-options': 'nosniff, foo' } }, fails: 0 },
  ],
});
