import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'cookie-insecure',
  group: 'cookies',
  severity: 'LOW',
  cwe: 614,
  title: 'A cookie may be sent over plain http',
  why: 'Without Secure the browser adds the cookie to requests on plain http, where anybody on the way can read it and set another value.',
  fix: 'Set the cookie with Secure.',
  references: ['https://www.rfc-editor.org/rfc/rfc6265#section-4.1.2.5'],
  needs: ['cookies'],

  *run({ cookies }) {
    for (const { name, url, isSecure, isSession } of cookies) {
      if (isSession || isSecure || !url.startsWith('https:')) continue;
      yield { url, evidence: `set-cookie: ${name}=… (without Secure)` };
    }
  },

  examples: [
    { name: 'a setting', given: { headers: { 'set-cookie': 'theme=dark; Path=/' } }, fails: 1 },
    { name: 'against forged requests', given: { headers: { 'set-cookie': 'XSRF-TOKEN=1' } }, fails: 1 },
    { name: 'two of them', given: { headers: { 'set-cookie': ['theme=dark', 'language=en'] } }, fails: 2 },
    { name: 'Secure', given: { headers: { 'set-cookie': 'theme=dark; Secure' } }, fails: 0 },
    { name: 'a session, which another check judges', given: { headers: { 'set-cookie': 'sid=1' } }, fails: 0 },
    { name: 'deleted', given: { headers: { 'set-cookie': 'theme=; Max-Age=0' } }, fails: 0 },
    {
      name: 'on plain http, where Secure cannot be set',
      given: { url: 'http://site.example/', headers: { 'set-cookie': 'theme=dark' } },
      fails: 0,
    },
    { name: 'no cookies', given: {}, fails: 0 },
  ],
});
