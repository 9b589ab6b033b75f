import { isCard, isPassword } from '../../../evidence/page/forms.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'form-on-http-page',
  group: 'content',
  severity: 'HIGH',
  cwe: 319,
  title: 'A page on plain http asks for a password or a payment card',
  why: 'Wherever the form is sent to, the page itself can be changed on the way, so that what is entered goes to somebody else.',
  fix: 'Serve the page on https only, and redirect plain http to it.',
  references: [
    'https://developer.mozilla.org/docs/Web/Security/Insecure_passwords',
    'https://cwe.mitre.org/data/definitions/319.html',
  ],
  needs: ['mainDocument', 'page'],

  *run({ mainDocument: { url }, page }) {
    if (url.protocol !== 'http:') return;
    const asked = page.elements.find((element) => isPassword(element) || isCard(element));
    if (!asked) return;
    const name = asked.attributes.get('name') ?? asked.attributes.get('id') ?? '';
    yield { evidence: `${url.origin} shows a field for ${isCard(asked) ? 'a payment card' : 'a password'}: ${name}` };
  },

  examples: [
    { name: 'a password', given: { url: 'http://site.example/', body: '<input type=password name=p>' }, fails: 1 },
    { name: 'a card', given: { url: 'http://site.example/', body: '<input autocomplete="cc-number">' }, fails: 1 },
    { name: 'on https', given: { body: '<input type=password name=p>' }, fails: 0 },
    { name: 'something else', given: { url: 'http://site.example/', body: '<input type=search>' }, fails: 0 },
    { name: 'in a comment', given: { url: 'http://site.example/', body: '<!-- <input type=password> -->' }, fails: 0 },
  ],
});
