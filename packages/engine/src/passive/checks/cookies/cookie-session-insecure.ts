import { keepsHttps } from '../../../evidence/page/hsts.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const hsts = { 'strict-transport-security': 'max-age=31536000' };

export default definePassiveCheck({
  id: 'cookie-session-insecure',
  group: 'cookies',
  severity: 'HIGH',
  cwe: 614,
  title: 'Session cookie without Secure attribute',
  why: 'The response sets a session cookie without the Secure attribute, so browsers also send it over unencrypted HTTP. An attacker on the network path who triggers one HTTP request to the site can read the cookie and hijack the session. HSTS reduces the risk, so the severity is lower where the site sends it.',
  fix: 'Add the Secure attribute to the session cookie. Prefer a __Host- name, which browsers accept only with Secure, and send HSTS.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html#secure-attribute',
    'https://www.rfc-editor.org/rfc/rfc6265#section-4.1.2.5',
    'https://cwe.mitre.org/data/definitions/614.html',
  ],
  needs: ['mainDocument', 'cookies'],

  *run({ mainDocument, cookies }) {
    const severity = keepsHttps(mainDocument) ? 'MEDIUM' : 'HIGH';
    for (const { name, url, isSecure, isSession } of cookies) {
      if (!isSession || isSecure || !url.startsWith('https:')) continue;
      yield { url, severity, evidence: `set-cookie: ${name}=… (without Secure)` };
    }
  },

  examples: [
    { name: 'session cookie', given: { headers: { 'set-cookie': 'PHPSESSID=1; HttpOnly' } }, fails: 1 },
    {
      name: 'session cookie with HSTS',
      given: { headers: { ...hsts, 'set-cookie': 'PHPSESSID=1' } },
      fails: 1,
      severity: 'MEDIUM',
    },
    {
      name: 'session cookie with HSTS disabled',
      given: { headers: { 'strict-transport-security': 'max-age=0', 'set-cookie': 'sid=1' } },
      fails: 1,
    },
    { name: 'attribute with a similar name', given: { headers: { 'set-cookie': 'sid=1; Secured' } }, fails: 1 },
    { name: 'set by a redirect', given: { before: [{ headers: { 'set-cookie': 'sid=1' } }] }, fails: 1 },
    { name: 'Secure', given: { headers: { 'set-cookie': '__Host-sid=1; Path=/; secure' } }, fails: 0 },
    { name: 'deleted by Max-Age', given: { headers: { 'set-cookie': 'sid=; Max-Age=0' } }, fails: 0 },
    {
      name: 'deleted by Expires',
      given: { headers: { 'set-cookie': 'sid=; Expires=Thu, 01 Jan 1970 00:00:00 GMT' } },
      fails: 0,
    },
    {
      name: 'not a session cookie, judged by another check',
      given: { headers: { 'set-cookie': 'theme=dark' } },
      fails: 0,
    },
    {
      name: 'set over HTTP, judged by another check',
      given: { url: 'http://site.example/', headers: { 'set-cookie': 'sid=1' } },
      fails: 0,
    },
  ],
});
