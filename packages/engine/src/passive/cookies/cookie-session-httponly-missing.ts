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
    {
      name: 'sessions of ASP.NET, WordPress, Keycloak and ColdFusion',
      given: {
        headers: {
          'set-cookie': [
            '.ASPXAUTH=1',
            '.AspNetCore.Cookies=1',
            'wordpress_logged_in_0f=1',
            'KEYCLOAK_IDENTITY=1',
            'CFTOKEN=1',
          ],
        },
      },
      fails: 5,
    },
    {
      name: 'tokens',
      given: { headers: { 'set-cookie': ['access_token=1', 'refresh_token=1', 'auth_token=1', 'remember_web_59=1'] } },
      fails: 4,
    },
    {
      name: 'a JSON Web Token by its value',
      given: { headers: { 'set-cookie': 'app=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln; Secure' } },
      fails: 1,
    },
    {
      name: 'names that only contain a word of sessions',
      given: { headers: { 'set-cookie': ['assessment=1', 'possession=1', 'last_login_method=x', 'sessionTimeout=9'] } },
      fails: 0,
    },
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
