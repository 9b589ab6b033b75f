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
  title: 'The page holds a key of Google or Firebase',
  why: 'Such a key is made to be seen, but it must be restricted to this site and to the services that it uses: otherwise others use them at its cost.',
  fix: 'Check in the Google Cloud console that the key is restricted to the names of this site and to the services it needs.',
  references: ['https://cloud.google.com/docs/authentication/api-keys'],
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
    { name: 'in a script, and once more', given: { scripts: { '/a.js': `apiKey:"${key}",k:"${key}"` } }, fails: 1 },
    { name: 'too short', given: { body: 'AIzaSyA' }, fails: 0 },
    { name: 'part of something longer', given: { body: `x${key}x` }, fails: 0 },
    { name: 'nothing', given: {}, fails: 0 },
  ],
});
