import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'cookie-insecure',
  group: 'cookies',
  severity: 'LOW',
  cwe: 614,
  title: 'Cookie without Secure attribute',
  why: 'The response sets a cookie over HTTPS without the Secure attribute, so browsers also attach it to unencrypted HTTP requests. An attacker on the network path can read its value or overwrite it. The evidence shows the Set-Cookie header without the value.',
  fix: 'Add the Secure attribute to the Set-Cookie header, preferably as the default of the framework. Send HSTS as well, so that browsers make no HTTP requests to the site.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html#secure-attribute',
    'https://www.rfc-editor.org/rfc/rfc6265#section-4.1.2.5',
    'https://cwe.mitre.org/data/definitions/614.html',
  ],
  needs: ['cookies'],

  *run({ cookies }) {
    for (const { name, url, isSecure, isSession } of cookies) {
      if (isSession || isSecure || !url.startsWith('https:')) continue;
      yield { url, evidence: `set-cookie: ${name}=… (without Secure)` };
    }
  },

  examples: [
    { name: 'preference cookie', given: { headers: { 'set-cookie': 'theme=dark; Path=/' } }, fails: 1 },
    { name: 'CSRF token cookie', given: { headers: { 'set-cookie': 'XSRF-TOKEN=1' } }, fails: 1 },
    { name: 'two cookies', given: { headers: { 'set-cookie': ['theme=dark', 'language=en'] } }, fails: 2 },
    { name: 'Secure', given: { headers: { 'set-cookie': 'theme=dark; Secure' } }, fails: 0 },
    { name: 'session cookie, judged by another check', given: { headers: { 'set-cookie': 'sid=1' } }, fails: 0 },
    { name: 'deleted cookie', given: { headers: { 'set-cookie': 'theme=; Max-Age=0' } }, fails: 0 },
    {
      name: 'set over HTTP, where Secure cannot be set',
      given: { url: 'http://site.example/', headers: { 'set-cookie': 'theme=dark' } },
      fails: 0,
    },
    { name: 'no cookies', given: {}, fails: 0 },
  ],
});
