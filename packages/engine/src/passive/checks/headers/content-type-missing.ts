import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'content-type-missing',
  group: 'headers',
  severity: 'LOW',
  cwe: 436,
  title: 'Content-Type header missing',
  why: "The response has a body but no Content-Type header, so each browser guesses its type (MIME sniffing). An attacker who controls part of the content, such as an upload, can have it rendered as HTML and run scripts in the site's origin. The evidence shows the header as sent.",
  fix: 'Send a Content-Type header with every response that has a body, such as text/html; charset=utf-8 for pages. Add X-Content-Type-Options: nosniff so that browsers do not guess.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Headers_Cheat_Sheet.html',
    'https://www.rfc-editor.org/rfc/rfc9110#section-8.3',
    'https://mimesniff.spec.whatwg.org/',
    'https://cwe.mitre.org/data/definitions/436.html',
  ],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    const { status, body } = mainDocument;
    if (status === 204 || status === 304 || body === '') return;
    const isDeclared = mainDocument.headers('content-type').some((value) => value.trim() !== '');
    if (!isDeclared) yield { evidence: mainDocument.headerLines('content-type') };
  },

  examples: [
    { name: 'not sent', given: { body: 'hello', headers: { 'content-type': [] } }, fails: 1 },
    { name: 'empty', given: { body: 'hello', headers: { 'content-type': ' ' } }, fails: 1 },
    { name: 'HTML page', given: { body: 'hello' }, fails: 0 },
    { name: '204 No Content', given: { status: 204, headers: { 'content-type': [] } }, fails: 0 },
    { name: '304 Not Modified', given: { status: 304, body: 'hello', headers: { 'content-type': [] } }, fails: 0 },
    { name: 'empty body', given: { headers: { 'content-type': [] } }, fails: 0 },
  ],
});
