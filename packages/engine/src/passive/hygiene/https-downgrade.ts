import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'https-downgrade',
  group: 'hygiene',
  severity: 'HIGH',
  cwe: 319,
  title: 'The site sends visitors from https to plain http',
  why: 'They came by a connection that nobody could read, and are led to one that everybody on the way can read and change.',
  fix: 'Redirect to https URLs only; look for http:// in the settings of the application and of the server before it.',
  references: ['https://hstspreload.org/', 'https://cwe.mitre.org/data/definitions/319.html'],
  needs: ['answers'],

  *run({ answers }) {
    for (const [index, { url, status }] of answers.entries()) {
      const next = answers[index + 1];
      if (url.protocol === 'https:' && next?.url.protocol === 'http:') {
        yield { url: url.href, evidence: `${status} ${url}\n${next.status} ${next.url}` };
        return;
      }
    }
  },

  examples: [
    { name: 'to http', given: { before: [{}], url: 'http://site.example/home' }, fails: 1 },
    {
      name: 'to http and back',
      given: { before: [{}, { url: 'http://site.example/en' }], url: 'https://site.example/en' },
      fails: 1,
    },
    { name: 'no redirect', given: {}, fails: 0 },
    { name: 'from http to https', given: { before: [{ url: 'http://site.example/' }] }, fails: 0 },
  ],
});
