import { formsOf, isPassword } from '../../../evidence/page/forms.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'form-action-http',
  group: 'content',
  severity: 'MEDIUM',
  cwe: 319,
  title: 'Form submits over unencrypted HTTP',
  why: 'A form on this HTTPS page submits to an http: URL. An attacker on the network path can read and modify what users enter. The severity is higher for forms with a password field.',
  fix: 'Change the action of the form to an https: URL or a relative one. Add upgrade-insecure-requests to the Content-Security-Policy as a second layer.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/09-Testing_for_Weak_Cryptography/03-Testing_for_Sensitive_Information_Sent_via_Unencrypted_Channels',
    'https://www.w3.org/TR/mixed-content/',
    'https://cwe.mitre.org/data/definitions/319.html',
  ],
  needs: ['mainDocument', 'page'],

  *run({ mainDocument: { url }, page }) {
    if (url.protocol !== 'https:') return;
    for (const { actions, fields } of formsOf(page, url)) {
      const plain = actions.find(({ protocol }) => protocol === 'http:');
      if (!plain) continue;
      yield {
        evidence: `<form> submits to ${plain.origin}${plain.pathname}`,
        ...(fields.some(isPassword) && { severity: 'HIGH' as const }),
      };
    }
  },

  examples: [
    {
      name: 'HTTP action',
      given: { body: '<form action="http://site.example/news"><input name=mail></form>' },
      fails: 1,
    },
    {
      name: 'HTTP action with a password field',
      given: { body: '<form action="http://site.example/in"><input type=Password></form>' },
      fails: 1,
      severity: 'HIGH',
    },
    {
      name: 'HTTP formaction of a button',
      given: { body: '<form><button formaction="http://a.example/">Go</button></form>' },
      fails: 1,
    },
    {
      name: 'HTTPS action',
      given: { body: '<form action="https://site.example/in"><input type=password></form>' },
      fails: 0,
    },
    { name: 'no action attribute', given: { body: '<base href="http://a.example/"><form><input></form>' }, fails: 0 },
    {
      name: 'page over HTTP, judged by another check',
      given: { url: 'http://site.example/', body: '<form action="/in"><input></form>' },
      fails: 0,
    },
  ],
});
