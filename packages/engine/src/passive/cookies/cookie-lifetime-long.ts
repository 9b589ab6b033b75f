import { definePassiveCheck } from '../../check.ts';

const DAY_MS = 86_400_000;
/** Browsers keep no cookie for longer. */
const LONGEST_DAYS = 400;

const set = (line: string) => ({ headers: { 'set-cookie': line } });

export default definePassiveCheck({
  id: 'cookie-lifetime-long',
  group: 'cookies',
  severity: 'INFO',
  cwe: 613,
  title: 'A session cookie is meant to live for more than 400 days',
  why: 'A session that does not end can be used by whoever gets hold of the device or of the cookie, even years later. Browsers cut the time to 400 days.',
  fix: 'Let sessions end after hours or days without use, on the server and in the cookie, and renew them on use.',
  references: ['https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html#session-expiration'],
  needs: ['cookies'],

  *run({ cookies }) {
    for (const { name, url, lifetimeMs = 0, isSession } of cookies) {
      if (!isSession || lifetimeMs <= LONGEST_DAYS * DAY_MS) continue;
      yield { url, evidence: `set-cookie: ${name}=… (for ${Math.floor(lifetimeMs / DAY_MS)} days)` };
    }
  },

  examples: [
    { name: 'ten years', given: set('sid=1; Max-Age=315360000'), fails: 1 },
    { name: 'until a far date', given: set('sid=1; Expires=Fri, 31 Dec 2055 23:59:59 GMT'), fails: 1 },
    { name: '400 days', given: set('sid=1; Max-Age=34560000'), fails: 0 },
    {
      name: 'Max-Age counts before Expires',
      given: set('sid=1; Max-Age=60; Expires=Fri, 31 Dec 2055 23:59:59 GMT'),
      fails: 0,
    },
    { name: 'until the browser is closed', given: set('sid=1'), fails: 0 },
    { name: 'no session', given: set('theme=dark; Max-Age=315360000'), fails: 0 },
  ],
});
