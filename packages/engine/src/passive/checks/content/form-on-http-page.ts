import { isCard, isPassword } from '../../../evidence/page/forms.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'form-on-http-page',
  group: 'content',
  severity: 'HIGH',
  cwe: 319,
  title: 'Password or card form on an unencrypted HTTP page',
  why: 'A page over unencrypted HTTP contains a field for a password or a payment card. An attacker on the network path can modify the page and capture the input, even if the form submits to HTTPS. Browsers mark such pages as not secure.',
  fix: 'Serve the page over HTTPS only. Redirect HTTP to HTTPS and send HSTS.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/09-Testing_for_Weak_Cryptography/03-Testing_for_Sensitive_Information_Sent_via_Unencrypted_Channels',
    'https://developer.mozilla.org/docs/Web/Security/Insecure_passwords',
    'https://cwe.mitre.org/data/definitions/319.html',
  ],
  needs: ['mainDocument', 'page'],

  *run({ mainDocument: { url }, page }) {
    if (url.protocol !== 'http:') return;
    const field = page.elements.find((element) => isPassword(element) || isCard(element));
    if (!field) return;
    const name = field.attributes.get('name') ?? field.attributes.get('id') ?? '';
    yield { evidence: `${url.origin} contains a ${isCard(field) ? 'payment card' : 'password'} field: ${name}` };
  },

  examples: [
    { name: 'password field', given: { url: 'http://site.example/', body: '<input type=password name=p>' }, fails: 1 },
    {
      name: 'payment card field',
      given: { url: 'http://site.example/', body: '<input autocomplete="cc-number">' },
      fails: 1,
    },
    { name: 'page over HTTPS', given: { body: '<input type=password name=p>' }, fails: 0 },
    { name: 'other field', given: { url: 'http://site.example/', body: '<input type=search>' }, fails: 0 },
    { name: 'in a comment', given: { url: 'http://site.example/', body: '<!-- <input type=password> -->' }, fails: 0 },
  ],
});
