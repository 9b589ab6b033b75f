import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'cookie-samesite-missing',
  group: 'cookies',
  severity: 'LOW',
  cwe: 1275,
  title: 'A cookie of the session leaves it to the browser when other sites may use it',
  why: 'Without SameSite it depends on the browser whether a request that another site makes carries the session of the visitor.',
  fix: 'Set the cookie with SameSite=Lax, or with SameSite=Strict where no link from elsewhere must find the visitor signed in.',
  references: ['https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#name-the-samesite-attribute-2'],
  needs: ['cookies'],

  *run({ cookies }) {
    for (const { name, url, sameSite, isSession, isCsrf } of cookies) {
      if ((isSession || isCsrf) && sameSite === undefined)
        yield { url, evidence: `set-cookie: ${name}=… (without SameSite)` };
    }
  },

  examples: [
    { name: 'a session', given: { headers: { 'set-cookie': 'PHPSESSID=a1; path=/; HttpOnly' } }, fails: 1 },
    {
      name: 'on plain http, in a redirect',
      given: { before: [{ url: 'http://site.example/', headers: { 'set-cookie': 'sid=1' } }] },
      fails: 1,
    },
    { name: 'two of them', given: { headers: { 'set-cookie': ['sid=1; Secure', 'login_token=2'] } }, fails: 2 },
    { name: 'against forged requests', given: { headers: { 'set-cookie': 'XSRF-TOKEN=1; Secure' } }, fails: 1 },
    {
      name: 'an attribute that only begins so',
      given: { headers: { 'set-cookie': 'sid=1; SameSites=Lax' } },
      fails: 1,
    },
    { name: 'the word in its value', given: { headers: { 'set-cookie': 'sid=samesite=lax' } }, fails: 1 },
    { name: 'Lax', given: { headers: { 'set-cookie': 'sid=1; SameSite=Lax' } }, fails: 0 },
    {
      name: 'a value that another check judges',
      given: { headers: { 'set-cookie': 'sid=1; samesite=maybe' } },
      fails: 0,
    },
    {
      name: 'without a value, which another check judges',
      given: { headers: { 'set-cookie': 'sid=1; SameSite' } },
      fails: 0,
    },
    { name: 'no session', given: { headers: { 'set-cookie': 'theme=dark' } }, fails: 0 },
    { name: 'of a load balancer', given: { headers: { 'set-cookie': 'heroku-session-affinity=1' } }, fails: 0 },
    {
      name: 'deleted by a date in the past',
      given: { headers: { 'set-cookie': 'sid=; expires=Thu, 01 Jan 1970 00:00:00 GMT' } },
      fails: 0,
    },
    { name: 'deleted by its age', given: { headers: { 'set-cookie': 'sid=; Max-Age=0' } }, fails: 0 },
  ],
});
