import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'nosniff-missing',
  group: 'headers',
  severity: 'LOW',
  cwe: 693,
  title: 'X-Content-Type-Options: nosniff header missing',
  why: 'The response does not send X-Content-Type-Options: nosniff, so browsers may ignore the declared type and guess one (MIME sniffing). An attacker who can upload a file can have it run as a script or style sheet of the site. The evidence shows the header as sent.',
  fix: 'Send X-Content-Type-Options: nosniff and a correct Content-Type with every response. Set it in the web server or the CDN, so that static files and uploads are covered as well.',
  recipe: { header: ['X-Content-Type-Options', 'nosniff'] },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Headers_Cheat_Sheet.html',
    'https://fetch.spec.whatwg.org/#x-content-type-options-header',
    'https://cwe.mitre.org/data/definitions/693.html',
  ],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    // Browsers use the first value, of a list as of repeated headers.
    const [first = ''] = mainDocument.headers('x-content-type-options').join(',').split(',');
    if (first.trim().toLowerCase() !== 'nosniff')
      yield { evidence: mainDocument.headerLines('x-content-type-options') };
  },

  examples: [
    { name: 'not sent', given: {}, fails: 1 },
    { name: 'not sent over HTTP', given: { url: 'http://site.example/' }, fails: 1 },
    { name: 'invalid value', given: { headers: { 'x-content-type-options': 'sniff' } }, fails: 1 },
    { name: 'invalid value first', given: { headers: { 'x-content-type-options': ['none', 'nosniff'] } }, fails: 1 },
    { name: 'nosniff', given: { headers: { 'x-content-type-options': 'nosniff' } }, fails: 0 },
    { name: 'mixed case', given: { headers: { 'X-Content-Type-Options': ' NoSniff ' } }, fails: 0 },
    { name: 'sent twice', given: { headers: { 'x-content-type-options': ['nosniff', 'nosniff'] } }, fails: 0 },
    { name: 'first value of a list', given: { headers: { 'x-content-type-options': 'nosniff, foo' } }, fails: 0 },
  ],
});
