import { definePassiveCheck } from '../../check.ts';
import { keepsHttps } from '../../evidence/hsts.ts';

const hsts = { 'strict-transport-security': 'max-age=31536000' };

export default definePassiveCheck({
  id: 'cookie-session-insecure',
  group: 'cookies',
  severity: 'HIGH',
  cwe: 614,
  title: 'A session cookie may be sent over plain http',
  why: 'Without Secure the browser adds the cookie to requests on plain http, too. Anybody on the way who brings about one such request can read it and take over the session.',
  fix: 'Set the cookie with Secure; best name it __Host-…, which browsers accept only so. Strict-Transport-Security lessens the risk until then.',
  references: ['https://www.rfc-editor.org/rfc/rfc6265#section-4.1.2.5'],
  needs: ['mainDocument', 'cookies'],

  *run({ mainDocument, cookies }) {
    const severity = keepsHttps(mainDocument) ? 'MEDIUM' : 'HIGH';
    for (const { name, url, isSecure, isSession } of cookies) {
      if (!isSession || isSecure || !url.startsWith('https:')) continue;
      yield { url, severity, evidence: `set-cookie: ${name}=… (without Secure)` };
    }
  },

  examples: [
    { name: 'a session', given: { headers: { 'set-cookie': 'PHPSESSID=1; HttpOnly' } }, fails: 1 },
    {
      name: 'a session, where browsers keep to https',
      given: { headers: { ...hsts, 'set-cookie': 'PHPSESSID=1' } },
      fails: 1,
      severity: 'MEDIUM',
    },
    {
      name: 'a session, where that was switched off',
      given: { headers: { 'strict-transport-security': 'max-age=0', 'set-cookie': 'sid=1' } },
      fails: 1,
    },
    { name: 'a word that only looks like it', given: { headers: { 'set-cookie': 'sid=1; Secured' } }, fails: 1 },
    { name: 'in a redirect', given: { before: [{ headers: { 'set-cookie': 'sid=1' } }] }, fails: 1 },
    { name: 'Secure', given: { headers: { 'set-cookie': '__Host-sid=1; Path=/; secure' } }, fails: 0 },
    { name: 'deleted', given: { headers: { 'set-cookie': 'sid=; Max-Age=0' } }, fails: 0 },
    {
      name: 'deleted by a date in the past',
      given: { headers: { 'set-cookie': 'sid=; Expires=Thu, 01 Jan 1970 00:00:00 GMT' } },
      fails: 0,
    },
    { name: 'no session, which another check judges', given: { headers: { 'set-cookie': 'theme=dark' } }, fails: 0 },
    {
      name: 'on plain http, which another check judges',
      given: { url: 'http://site.example/', headers: { 'set-cookie': 'sid=1' } },
      fails: 0,
    },
  ],
});
