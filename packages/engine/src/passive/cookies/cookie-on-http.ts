import { definePassiveCheck } from '../../check.ts';

const onHttp = (line: string) => ({ url: 'http://site.example/', headers: { 'set-cookie': line } });

export default definePassiveCheck({
  id: 'cookie-on-http',
  group: 'cookies',
  severity: 'HIGH',
  cwe: 319,
  title: 'A session cookie is set over plain http',
  why: 'Anybody on the way reads the session when it is set, or puts one of their own in its place, even if the next answer leads to https.',
  fix: 'Redirect plain http to https before anything else, and set cookies on https only, with Secure.',
  references: ['https://www.rfc-editor.org/rfc/rfc6265#section-8.3'],
  needs: ['cookies'],

  *run({ cookies }) {
    for (const { name, url, isSession } of cookies) {
      if (isSession && url.startsWith('http:')) yield { url, evidence: `set-cookie: ${name}=… (on plain http)` };
    }
  },

  examples: [
    { name: 'by the page', given: onHttp('PHPSESSID=1; HttpOnly'), fails: 1 },
    { name: 'by a redirect to https', given: { before: [onHttp('connect.sid=1')] }, fails: 1 },
    { name: 'on https', given: { headers: { 'set-cookie': 'PHPSESSID=1' } }, fails: 0 },
    { name: 'no session', given: onHttp('theme=dark'), fails: 0 },
    { name: 'deleted', given: onHttp('PHPSESSID=; Max-Age=0'), fails: 0 },
  ],
});
