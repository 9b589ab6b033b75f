import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'cookie-session-httponly-missing',
  group: 'cookies',
  severity: 'MEDIUM',
  cwe: 1004,
  title: 'Session cookie without HttpOnly attribute',
  why: 'The session cookie lacks the HttpOnly attribute, so scripts can read it through document.cookie. An attacker who finds a cross-site scripting (XSS) flaw can steal the cookie and hijack the session. The evidence shows the Set-Cookie header without the value.',
  fix: 'Add the HttpOnly attribute to the session cookie. Move values that scripts need into a separate cookie or into the page.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html#httponly-attribute',
    'https://www.rfc-editor.org/rfc/rfc6265#section-4.1.2.6',
    'https://cwe.mitre.org/data/definitions/1004.html',
  ],
  needs: ['cookies'],

  *run({ cookies }) {
    for (const { name, url, isHttpOnly, isSession } of cookies) {
      if (isSession && !isHttpOnly) yield { url, evidence: `set-cookie: ${name}=… (without HttpOnly)` };
    }
  },

  examples: [
    { name: 'session cookie', given: { headers: { 'set-cookie': 'JSESSIONID=1; Secure' } }, fails: 1 },
    {
      name: 'session cookie with a __Host- prefix',
      given: { headers: { 'set-cookie': '__Host-sid=1; Secure; Path=/' } },
      fails: 1,
    },
    {
      name: 'session cookies of ASP.NET, WordPress, Keycloak and ColdFusion',
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
      name: 'token cookies',
      given: { headers: { 'set-cookie': ['access_token=1', 'refresh_token=1', 'auth_token=1', 'remember_web_59=1'] } },
      fails: 4,
    },
    {
      name: 'JWT recognised by its value',
      given: { headers: { 'set-cookie': 'app=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln; Secure' } },
      fails: 1,
    },
    {
      name: 'names that only resemble session names',
      given: { headers: { 'set-cookie': ['assessment=1', 'possession=1', 'last_login_method=x', 'sessionTimeout=9'] } },
      fails: 0,
    },
    { name: 'HttpOnly', given: { headers: { 'set-cookie': 'JSESSIONID=1; httponly' } }, fails: 0 },
    {
      name: 'CSRF token cookie, which scripts must read',
      given: { headers: { 'set-cookie': ['XSRF-TOKEN=1', 'csrf_session=2'] } },
      fails: 0,
    },
    { name: 'not a session cookie', given: { headers: { 'set-cookie': 'theme=dark' } }, fails: 0 },
    { name: 'load balancer cookie', given: { headers: { 'set-cookie': 'AWSALB-session=1' } }, fails: 0 },
    { name: 'deleted cookie', given: { headers: { 'set-cookie': 'JSESSIONID=; Max-Age=-1' } }, fails: 0 },
  ],
});
