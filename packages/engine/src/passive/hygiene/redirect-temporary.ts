import { definePassiveCheck } from '../../check.ts';

const TEMPORARY = new Set([302, 303, 307]);

export default definePassiveCheck({
  id: 'redirect-temporary',
  group: 'hygiene',
  severity: 'INFO',
  cwe: null,
  title: 'The redirect to https is only a temporary one',
  why: 'Browsers and search engines do not remember a temporary redirect, and ask by plain http again each time.',
  fix: 'Answer with 301 or 308 on port 80.',
  references: ['https://www.rfc-editor.org/rfc/rfc9110#section-15.4.9'],
  needs: ['plainHttp'],

  *run({ plainHttp: { hops } }) {
    const [first, second] = hops;
    if (first && second?.url.startsWith('https:') && TEMPORARY.has(first.status)) {
      yield { url: first.url, evidence: `${first.status} ${first.url}\n${second.status} ${second.url}` };
    }
  },

  examples: [
    { name: 'found', given: { plainHttp: [{ status: 302 }, {}] }, fails: 1 },
    { name: 'moved for good', given: { plainHttp: [{ status: 308 }, {}] }, fails: 0 },
    { name: 'nobody on port 80', given: { plainHttp: [] }, fails: 0 },
  ],
});
