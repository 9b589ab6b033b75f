import { definePassiveCheck } from '../../check.ts';

const headers = { 'strict-transport-security': 'max-age=31536000' };

export default definePassiveCheck({
  id: 'hsts-on-http',
  group: 'headers',
  severity: 'INFO',
  cwe: 319,
  title: 'Strict-Transport-Security is sent on plain http, where browsers ignore it',
  why: 'Anybody on the way can change an answer on plain http, so browsers do not take this promise from it. It may look as if the site were protected when it is not.',
  fix: 'Redirect plain http to https, and send the header with the https answers only.',
  references: ['https://www.rfc-editor.org/rfc/rfc6797#section-7.2'],
  needs: ['answers'],

  *run({ answers }) {
    for (const { url, headers, headerLines } of answers) {
      if (url.protocol !== 'http:' || headers('strict-transport-security').length === 0) continue;
      yield { url: url.href, evidence: headerLines('strict-transport-security') };
    }
  },

  examples: [
    { name: 'the page', given: { url: 'http://site.example/', headers }, fails: 1 },
    { name: 'a redirect to https', given: { before: [{ url: 'http://site.example/', headers }] }, fails: 1 },
    { name: 'on https', given: { before: [{ url: 'https://site.example/old', headers }], headers }, fails: 0 },
    { name: 'not sent on plain http', given: { url: 'http://site.example/' }, fails: 0 },
  ],
});
