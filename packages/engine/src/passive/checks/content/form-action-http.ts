import { formsOf, isPassword } from '../../../evidence/page/forms.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'form-action-http',
  group: 'content',
  severity: 'MEDIUM',
  cwe: 319,
  title: 'A form sends what visitors enter over plain http',
  why: 'The page looks safe, but what is entered leaves it readably: anybody on the way can take it or change it.',
  fix: 'Send the form to an https address.',
  references: ['https://www.w3.org/TR/mixed-content/', 'https://cwe.mitre.org/data/definitions/319.html'],
  needs: ['mainDocument', 'page'],

  *run({ mainDocument: { url }, page }) {
    if (url.protocol !== 'https:') return;
    for (const { actions, fields } of formsOf(page, url)) {
      const plain = actions.find(({ protocol }) => protocol === 'http:');
      if (!plain) continue;
      yield {
        evidence: `<form> is sent to ${plain.origin}${plain.pathname}`,
        ...(fields.some(isPassword) && { severity: 'HIGH' as const }),
      };
    }
  },

  examples: [
    {
      name: 'an address',
      given: { body: '<form action="http://site.example/news"><input name=mail></form>' },
      fails: 1,
    },
    {
      name: 'a password',
      given: { body: '<form action="http://site.example/in"><input type=Password></form>' },
      fails: 1,
      severity: 'HIGH',
    },
    {
      name: 'by a button',
      given: { body: '<form><button formaction="http://a.example/">Go</button></form>' },
      fails: 1,
    },
    { name: 'https', given: { body: '<form action="https://site.example/in"><input type=password></form>' }, fails: 0 },
    { name: 'the page itself', given: { body: '<base href="http://a.example/"><form><input></form>' }, fails: 0 },
    {
      name: 'a page on plain http, which another check judges',
      given: { url: 'http://site.example/', body: '<form action="/in"><input></form>' },
      fails: 0,
    },
  ],
});
