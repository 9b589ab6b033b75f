import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'http-redirect-off-host',
  group: 'hygiene',
  severity: 'LOW',
  cwe: 319,
  title: 'The first redirect leads to another host',
  why: 'The name that visitors typed never answers by https, so it can never tell browsers to use https only: every visit begins in the open.',
  fix: 'Redirect to https on the same host first, send Strict-Transport-Security there, and redirect to the other host from there.',
  references: ['https://hstspreload.org/', 'https://www.rfc-editor.org/rfc/rfc6797#section-7.2'],
  needs: ['plainHttp'],
  suppressedBy: ['https-missing'],

  *run({ plainHttp: { hops } }) {
    const [first, second] = hops;
    if (!first || !second) return;
    const next = new URL(second.url);
    if (next.protocol === 'https:' && next.hostname !== new URL(first.url).hostname) {
      yield { url: first.url, evidence: `${first.status} ${first.url}\n${second.status} ${second.url}` };
    }
  },

  examples: [
    { name: 'to www at once', given: { plainHttp: [{ status: 301 }, { url: 'https://www.site.example/' }] }, fails: 1 },
    { name: 'to the same host', given: {}, fails: 0 },
    {
      name: 'to the same host first',
      given: { plainHttp: [{ status: 301 }, { status: 301 }, { url: 'https://www.site.example/' }] },
      fails: 0,
    },
    { name: 'nobody on port 80', given: { plainHttp: [] }, fails: 0 },
  ],
});
