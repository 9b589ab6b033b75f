import { formsOf, isPassword } from '../../../evidence/page/forms.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'password-in-get-form',
  group: 'content',
  severity: 'MEDIUM',
  cwe: 598,
  title: 'A form puts a password into the address',
  why: 'Addresses are kept in histories and logs and are sent to other sites as referrers, and the password with them.',
  fix: 'Send the form with method="post".',
  references: ['https://cwe.mitre.org/data/definitions/598.html'],
  needs: ['mainDocument', 'page'],

  *run({ mainDocument: { url }, page }) {
    for (const { element, method, actions, fields } of formsOf(page, url)) {
      // A form that says neither is one that a script sends.
      const isSent = element.attributes.has('method') || element.attributes.has('action');
      if (method === 'GET' && isSent && fields.some(isPassword)) {
        yield { evidence: `<form method=get action=${actions[0]?.pathname}> with a password` };
      }
    }
  },

  examples: [
    { name: 'GET', given: { body: '<form method=GET action=/in><input type=password></form>' }, fails: 1 },
    { name: 'no method, which is GET', given: { body: '<form action=/in><input type=password></form>' }, fails: 1 },
    { name: 'POST', given: { body: '<form method=Post action=/in><input type=password></form>' }, fails: 0 },
    { name: 'one that a script sends', given: { body: '<form id=login><input type=password></form>' }, fails: 0 },
    { name: 'no password', given: { body: '<form action=/search><input name=q></form>' }, fails: 0 },
    {
      name: 'a password outside of it',
      given: { body: '<form action=/search></form><input type=password>' },
      fails: 0,
    },
  ],
});
