import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'cookie-samesite-missing',
  group: 'cookies',
  severity: 'LOW',
  cwe: 1275,
  title: 'Session cookie without SameSite attribute',
  why: 'The session or CSRF cookie has no SameSite attribute, so the default of the browser decides whether cross-site requests carry it. Chrome applies Lax, other browsers send the cookie. Where it is sent, an attacker can make requests with the session of the user from another site (CSRF).',
  fix: 'Set SameSite=Lax, or SameSite=Strict where links from other sites need not open a signed-in session. Keep CSRF tokens as well: SameSite is a second layer of defence.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html#samesite-attribute',
    'https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#name-the-samesite-attribute-2',
    'https://cwe.mitre.org/data/definitions/1275.html',
  ],
  needs: ['cookies'],

  *run({ cookies }) {
    for (const { name, url, sameSite, isSession, isCsrf } of cookies) {
      if ((isSession || isCsrf) && sameSite === undefined)
        yield { url, evidence: `set-cookie: ${name}=… (without SameSite)` };
    }
  },

  examples: [
    { name: 'session cookie', given: { headers: { 'set-cookie': 'PHPSESSID=a1; path=/; HttpOnly' } }, fails: 1 },
    {
      name: 'set by a redirect over HTTP',
      given: { before: [{ url: 'http://site.example/', headers: { 'set-cookie': 'sid=1' } }] },
      fails: 1,
    },
    { name: 'two cookies', given: { headers: { 'set-cookie': ['sid=1; Secure', 'login_token=2'] } }, fails: 2 },
    { name: 'CSRF token cookie', given: { headers: { 'set-cookie': 'XSRF-TOKEN=1; Secure' } }, fails: 1 },
    {
      name: 'attribute with a similar name',
      given: { headers: { 'set-cookie': 'sid=1; SameSites=Lax' } },
      fails: 1,
    },
    { name: 'SameSite inside the cookie value', given: { headers: { 'set-cookie': 'sid=samesite=lax' } }, fails: 1 },
    { name: 'Lax', given: { headers: { 'set-cookie': 'sid=1; SameSite=Lax' } }, fails: 0 },
    {
      name: 'invalid value, judged by another check',
      given: { headers: { 'set-cookie': 'sid=1; samesite=maybe' } },
      fails: 0,
    },
    {
      name: 'no value, judged by another check',
      given: { headers: { 'set-cookie': 'sid=1; SameSite' } },
      fails: 0,
    },
    { name: 'not a session cookie', given: { headers: { 'set-cookie': 'theme=dark' } }, fails: 0 },
    { name: 'load balancer cookie', given: { headers: { 'set-cookie': 'heroku-session-affinity=1' } }, fails: 0 },
    {
      name: 'deleted by Expires',
      given: { headers: { 'set-cookie': 'sid=; expires=Thu, 01 Jan 1970 00:00:00 GMT' } },
      fails: 0,
    },
    { name: 'deleted by Max-Age', given: { headers: { 'set-cookie': 'sid=; Max-Age=0' } }, fails: 0 },
  ],
});
