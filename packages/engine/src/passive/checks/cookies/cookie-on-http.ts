import { definePassiveCheck } from '../../define-passive-check.ts';

const onHttp = (line: string) => ({ url: 'http://site.example/', headers: { 'set-cookie': line } });

export default definePassiveCheck({
  id: 'cookie-on-http',
  group: 'cookies',
  severity: 'HIGH',
  cwe: 319,
  title: 'Session cookie set over unencrypted HTTP',
  why: 'The server sets a session cookie in a response over unencrypted HTTP. An attacker on the network path can read it and hijack the session, or replace it with their own (session fixation). A later redirect to HTTPS does not undo this.',
  fix: 'Redirect HTTP to HTTPS before the application runs, for example in the web server or load balancer. Set cookies over HTTPS only, with the Secure attribute, and send HSTS.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html#transport-layer-security',
    'https://www.rfc-editor.org/rfc/rfc6265#section-8.3',
    'https://cwe.mitre.org/data/definitions/319.html',
  ],
  needs: ['cookies'],

  *run({ cookies }) {
    for (const { name, url, isSession } of cookies) {
      if (isSession && url.startsWith('http:')) yield { url, evidence: `set-cookie: ${name}=… (over HTTP)` };
    }
  },

  examples: [
    { name: 'set by the page', given: onHttp('PHPSESSID=1; HttpOnly'), fails: 1 },
    { name: 'set by a redirect to HTTPS', given: { before: [onHttp('connect.sid=1')] }, fails: 1 },
    { name: 'set over HTTPS', given: { headers: { 'set-cookie': 'PHPSESSID=1' } }, fails: 0 },
    { name: 'not a session cookie', given: onHttp('theme=dark'), fails: 0 },
    { name: 'deleted cookie', given: onHttp('PHPSESSID=; Max-Age=0'), fails: 0 },
  ],
});
