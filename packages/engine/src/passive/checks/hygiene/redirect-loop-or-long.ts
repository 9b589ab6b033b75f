import type { Hop } from '../../../evidence/page/main-page.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const MAX_REDIRECTS = 5;

const isRedirect = (hop: Hop | undefined) => hop !== undefined && hop.status >= 300 && hop.status < 400;

export default definePassiveCheck({
  id: 'redirect-loop-or-long',
  group: 'hygiene',
  severity: 'LOW',
  cwe: 835,
  title: 'Redirect loop or long redirect chain',
  why: 'The site redirects more than five times or in a loop. Browsers stop after about twenty redirects and other clients much earlier, so some visitors never reach the page. Each step that is unencrypted is also one more that an attacker on the network path can intercept. The evidence shows the chain.',
  fix: 'Redirect to the final URL in one or two steps. Look for rules in the application and the reverse proxy that contradict each other, such as adding and removing www.',
  references: [
    'https://www.rfc-editor.org/rfc/rfc9110#section-15.4',
    'https://cwe.mitre.org/data/definitions/835.html',
  ],
  needs: ['answers', 'plainHttp'],

  *run({ answers, plainHttp: { hops } }) {
    for (const chain of [answers, hops]) {
      // The chain of the main page has ended; only the HTTP chain can be cut off in the middle of a loop.
      const isLoop = chain === hops && isRedirect(hops.at(-1)) && hops.length > 1;
      if (chain.length - 1 <= MAX_REDIRECTS && !isLoop) continue;
      yield { url: String(chain[0]?.url), evidence: chain.map(({ url, status }) => `${status} ${url}`).join('\n') };
      return;
    }
  },

  examples: [
    { name: 'six redirects', given: { before: [{}, {}, {}, {}, {}, {}] }, fails: 1 },
    {
      name: 'loop over HTTP',
      given: { plainHttp: [{ status: 301 }, { status: 301, url: 'http://www.site.example/' }] },
      fails: 1,
    },
    { name: 'five redirects', given: { before: [{}, {}, {}, {}, {}] }, fails: 0 },
    { name: 'one redirect', given: {}, fails: 0 },
    { name: 'redirect without a following response', given: { plainHttp: [{ status: 301 }] }, fails: 0 },
  ],
});
