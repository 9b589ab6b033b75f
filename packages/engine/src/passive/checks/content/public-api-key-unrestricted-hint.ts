import { thoseThere } from '../../../evidence/missing.ts';
import { redacted } from '../../../evidence/page/redacted.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const KEY = /(?<![\w-])AIza[\w-]{35}(?![\w-])/g;
const key = `AIza${'aZ3bY4c'.repeat(5)}`;

export default definePassiveCheck({
  id: 'public-api-key-unrestricted-hint',
  group: 'content',
  severity: 'INFO',
  cwe: 200,
  title: 'Google API key in page: verify its restrictions',
  why: 'The page or one of its scripts contains a Google or Firebase API key. Such keys are public by design, but without restrictions an attacker can use them for paid services at your cost or to access Firebase data. We do not test the restrictions of the key.',
  fix: 'Restrict the key in the Google Cloud console to the host names of this site and to the APIs that it uses. Secure Firebase data with security rules and App Check.',
  references: [
    'https://cloud.google.com/docs/authentication/api-keys',
    'https://firebase.google.com/docs/projects/api-keys',
    'https://cwe.mitre.org/data/definitions/200.html',
  ],
  needs: ['mainDocument', 'scripts'],

  *run({ mainDocument: { url, body }, scripts }) {
    const seen = new Set<string>();
    for (const text of [{ url: url.href, body }, ...thoseThere(scripts)]) {
      for (const [found] of text.body.includes('AIza') ? text.body.matchAll(KEY) : []) {
        if (!seen.has(found)) yield { url: text.url, evidence: `${redacted(found)} in ${text.url}` };
        seen.add(found);
      }
    }
  },

  examples: [
    {
      name: 'in the page',
      given: { body: `<script src="https://maps.googleapis.com/maps/api/js?key=${key}">` },
      fails: 1,
    },
    { name: 'twice in a script', given: { scripts: { '/a.js': `apiKey:"${key}",k:"${key}"` } }, fails: 1 },
    { name: 'too short', given: { body: 'AIzaSyA' }, fails: 0 },
    { name: 'part of a longer string', given: { body: `x${key}x` }, fails: 0 },
    { name: 'no key', given: {}, fails: 0 },
  ],
});
