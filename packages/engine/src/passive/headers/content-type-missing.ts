import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'content-type-missing',
  group: 'headers',
  severity: 'LOW',
  cwe: 436,
  title: 'The answer does not say what type it has',
  why: 'Without a Content-Type each browser guesses, and what was meant as text or data may be run as a page with scripts.',
  fix: 'Send a Content-Type with every answer that has a body, for a page text/html; charset=utf-8.',
  references: ['https://www.rfc-editor.org/rfc/rfc9110#section-8.3', 'https://mimesniff.spec.whatwg.org/'],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    const { status, body } = mainDocument;
    if (status === 204 || status === 304 || body === '') return;
    const isSaid = mainDocument.headers('content-type').some((value) => value.trim() !== '');
    if (!isSaid) yield { evidence: mainDocument.headerLines('content-type') };
  },

  examples: [
    { name: 'not sent', given: { body: 'hello', headers: { 'content-type': [] } }, fails: 1 },
    { name: 'empty', given: { body: 'hello', headers: { 'content-type': ' ' } }, fails: 1 },
    { name: 'a page', given: { body: 'hello' }, fails: 0 },
    { name: 'no content', given: { status: 204, headers: { 'content-type': [] } }, fails: 0 },
    { name: 'not changed', given: { status: 304, body: 'hello', headers: { 'content-type': [] } }, fails: 0 },
    { name: 'an empty body', given: { headers: { 'content-type': [] } }, fails: 0 },
  ],
});
