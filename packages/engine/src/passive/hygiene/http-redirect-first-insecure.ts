import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'http-redirect-first-insecure',
  group: 'hygiene',
  severity: 'LOW',
  cwe: 319,
  title: 'The first redirect leads from http to http',
  why: 'Every further step by plain http is one more that anybody on the way can answer instead of the site.',
  fix: 'Redirect to https on the same host first, and from there to the final host.',
  references: ['https://hstspreload.org/'],
  needs: ['plainHttp'],
  suppressedBy: ['https-missing', 'http-redirect-not-https', 'https-downgrade'],

  *run({ plainHttp: { hops } }) {
    const [first, second] = hops;
    if (first && second && new URL(second.url).protocol === 'http:') {
      yield { url: first.url, evidence: `${first.status} ${first.url}\n${second.status} ${second.url}` };
    }
  },

  examples: [
    {
      name: 'to www by http, then to https',
      given: {
        plainHttp: [
          { status: 301 },
          { status: 301, url: 'http://www.site.example/' },
          { url: 'https://www.site.example/' },
        ],
      },
      fails: 1,
    },
    { name: 'to https', given: {}, fails: 0 },
    { name: 'nobody on port 80', given: { plainHttp: [] }, fails: 0 },
  ],
});
