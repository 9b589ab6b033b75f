import { formsOf, isPassword } from '../../../evidence/page/forms.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'password-in-get-form',
  group: 'content',
  severity: 'MEDIUM',
  cwe: 598,
  title: 'Password submitted in the URL (GET form)',
  why: 'A form with a password field uses the GET method, so the browser puts the password into the URL. URLs are stored in the browser history and in server and proxy logs, and other sites can receive them in the Referer header. An attacker with access to one of these reads the password.',
  fix: 'Set method="post" on the form. Reject credentials in the query string on the server.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/04-Authentication_Testing/01-Testing_for_Credentials_Transported_over_an_Encrypted_Channel',
    'https://cwe.mitre.org/data/definitions/598.html',
  ],
  needs: ['mainDocument', 'page'],

  *run({ mainDocument: { url }, page }) {
    for (const { element, method, actions, fields } of formsOf(page, url)) {
      // A form with neither attribute is submitted by a script.
      const isSent = element.attributes.has('method') || element.attributes.has('action');
      if (method === 'GET' && isSent && fields.some(isPassword)) {
        yield { evidence: `<form method=get action=${actions[0]?.pathname}> with a password field` };
      }
    }
  },

  examples: [
    { name: 'GET form', given: { body: '<form method=GET action=/in><input type=password></form>' }, fails: 1 },
    { name: 'no method, which means GET', given: { body: '<form action=/in><input type=password></form>' }, fails: 1 },
    { name: 'POST form', given: { body: '<form method=Post action=/in><input type=password></form>' }, fails: 0 },
    { name: 'form submitted by a script', given: { body: '<form id=login><input type=password></form>' }, fails: 0 },
    { name: 'no password field', given: { body: '<form action=/search><input name=q></form>' }, fails: 0 },
    {
      name: 'password field outside the form',
      given: { body: '<form action=/search></form><input type=password>' },
      fails: 0,
    },
  ],
});
