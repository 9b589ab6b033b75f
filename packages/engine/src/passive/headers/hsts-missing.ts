import { definePassiveCheck } from '../../check.ts';
import { hstsOf, isPreloaded } from '../../evidence/hsts.ts';

export default definePassiveCheck({
  id: 'hsts-missing',
  group: 'headers',
  severity: 'MEDIUM',
  cwe: 319,
  title: 'Browsers are not told to come back by https only',
  why: 'Without Strict-Transport-Security a visitor who types the name, or follows an old link, first comes by plain http, where anybody on the way can keep them.',
  fix: 'Send Strict-Transport-Security: max-age=31536000; includeSubDomains with every https answer, once all subdomains speak https.',
  recipe: { header: ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'] },
  references: ['https://www.rfc-editor.org/rfc/rfc6797'],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    if (hstsOf(mainDocument).state !== 'MISSING' || isPreloaded(mainDocument.url.hostname)) return;
    yield { evidence: mainDocument.headerLines('strict-transport-security') };
  },

  examples: [
    { name: 'not sent', given: {}, fails: 1 },
    {
      name: 'sent by a redirect on plain http, where it is ignored',
      given: {
        before: [{ url: 'http://site.example/', headers: { 'strict-transport-security': 'max-age=31536000' } }],
      },
      fails: 1,
    },
    { name: 'a file that is no page', given: { headers: { 'content-type': 'application/json' } }, fails: 1 },
    { name: 'a name that only ends like a known suffix', given: { url: 'https://nodev/' }, fails: 1 },
    { name: 'sent', given: { headers: { 'Strict-Transport-Security': 'max-age=31536000' } }, fails: 0 },
    { name: 'plain http', given: { url: 'http://site.example/' }, fails: 0 },
    { name: 'an address', given: { url: 'https://192.0.2.1:8443/' }, fails: 0 },
    { name: 'an IPv6 address', given: { url: 'https://[2001:db8::1]/' }, fails: 0 },
    { name: 'below a suffix that browsers know', given: { url: 'https://site.dev/' }, fails: 0 },
  ],
});
