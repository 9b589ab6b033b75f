import { definePassiveCheck } from '../../check.ts';
import type { Hop } from '../../evidence/main-page.ts';

const MOST_REDIRECTS = 5;

const isRedirect = (hop: Hop | undefined) => hop !== undefined && hop.status >= 300 && hop.status < 400;

export default definePassiveCheck({
  id: 'redirect-loop-or-long',
  group: 'hygiene',
  severity: 'LOW',
  cwe: 835,
  title: 'Redirects go round and round, or on and on',
  why: 'Every step costs visitors time and can go wrong; browsers give up at some point, other programs much earlier.',
  fix: 'Lead to the final URL in one or two steps.',
  references: ['https://www.rfc-editor.org/rfc/rfc9110#section-15.4'],
  needs: ['answers', 'plainHttp'],

  *run({ answers, plainHttp: { hops } }) {
    for (const chain of [answers, hops]) {
      // Only the main page's own way may set and want cookies, which we do not keep: it has arrived.
      const isEndless = chain === hops && isRedirect(hops.at(-1)) && hops.length > 1;
      if (chain.length - 1 <= MOST_REDIRECTS && !isEndless) continue;
      yield { url: String(chain[0]?.url), evidence: chain.map(({ url, status }) => `${status} ${url}`).join('\n') };
      return;
    }
  },

  examples: [
    { name: 'six steps', given: { before: [{}, {}, {}, {}, {}, {}] }, fails: 1 },
    {
      name: 'in a circle by http',
      given: { plainHttp: [{ status: 301 }, { status: 301, url: 'http://www.site.example/' }] },
      fails: 1,
    },
    { name: 'five steps', given: { before: [{}, {}, {}, {}, {}] }, fails: 0 },
    { name: 'one step', given: {}, fails: 0 },
    { name: 'a redirect that leads nowhere', given: { plainHttp: [{ status: 301 }] }, fails: 0 },
  ],
});
