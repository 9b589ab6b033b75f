import { definePassiveCheck } from '../../define-passive-check.ts';

const DAY_MS = 86_400_000;
/** Upper limit that browsers apply to Max-Age and Expires. */
const LONGEST_DAYS = 400;

const set = (line: string) => ({ headers: { 'set-cookie': line } });

export default definePassiveCheck({
  id: 'cookie-lifetime-long',
  group: 'cookies',
  severity: 'INFO',
  cwe: 613,
  title: 'Session cookie lifetime exceeds 400 days',
  why: 'The session cookie asks for a lifetime of more than 400 days, the maximum that browsers keep. An attacker who steals the cookie or the device can use the session long after the user has stopped using the site. The evidence gives the lifetime from Max-Age or Expires.',
  fix: 'Expire sessions on the server after hours or days of inactivity. Set Max-Age of the cookie to the same period and renew it on use.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html#session-expiration',
    'https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#name-the-max-age-attribute-2',
    'https://cwe.mitre.org/data/definitions/613.html',
  ],
  needs: ['cookies'],

  *run({ cookies }) {
    for (const { name, url, lifetimeMs = 0, isSession } of cookies) {
      if (!isSession || lifetimeMs <= LONGEST_DAYS * DAY_MS) continue;
      yield { url, evidence: `set-cookie: ${name}=… (lifetime ${Math.floor(lifetimeMs / DAY_MS)} days)` };
    }
  },

  examples: [
    { name: 'ten years', given: set('sid=1; Max-Age=315360000'), fails: 1 },
    { name: 'Expires in the far future', given: set('sid=1; Expires=Fri, 31 Dec 2055 23:59:59 GMT'), fails: 1 },
    { name: '400 days', given: set('sid=1; Max-Age=34560000'), fails: 0 },
    {
      name: 'Max-Age takes precedence over Expires',
      given: set('sid=1; Max-Age=60; Expires=Fri, 31 Dec 2055 23:59:59 GMT'),
      fails: 0,
    },
    { name: 'no lifetime (browser session)', given: set('sid=1'), fails: 0 },
    { name: 'not a session cookie', given: set('theme=dark; Max-Age=315360000'), fails: 0 },
  ],
});
