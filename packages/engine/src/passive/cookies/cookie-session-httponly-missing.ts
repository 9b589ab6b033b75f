import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'cookie-session-httponly-missing',
  group: 'cookies',
  severity: 'MEDIUM',
  cwe: 1004,
  title: 'Scripts can read a session cookie',
  why: 'Without HttpOnly any script of the page, also one that was slipped in, can read the cookie and send it away, and with it the session.',
  fix: 'Set the cookie with HttpOnly. What scripts must know belongs into another cookie or into the page.',
  references: ['https://www.rfc-editor.org/rfc/rfc6265#section-4.1.2.6'],
  needs: ['cookies'],

  *run({ cookies }) {
    for (const { name, url, isHttpOnly, isSession } of cookies) {
      if (isSession && !isHttpOnly) yield { url, evidence: `set-cookie: ${name}=… (without HttpOnly)` };
    }
  },

  examples: [
    { name: 'a session', given: { headers: { 'set-cookie': 'JSESSIONID=1; Secure' } }, fails: 1 },
    { name: 'behind a prefix', given: { headers: { 'set-cookie': '__Host-sid=1; Secure; Path=/' } }, fails: 1 },
    { name: 'HttpOnly', given: { headers: { 'set-cookie': 'JSESSIONID=1; httponly' } }, fails: 0 },
    {
      name: 'against forged requests: scripts must read it',
      given: { headers: { 'set-cookie': ['XSRF-TOKEN=1', 'csrf_session=2'] } },
      fails: 0,
    },
    { name: 'no session', given: { headers: { 'set-cookie': 'theme=dark' } }, fails: 0 },
    { name: 'of a load balancer', given: { headers: { 'set-cookie': 'AWSALB-session=1' } }, fails: 0 },
    { name: 'deleted', given: { headers: { 'set-cookie': 'JSESSIONID=; Max-Age=-1' } }, fails: 0 },
  ],
});
