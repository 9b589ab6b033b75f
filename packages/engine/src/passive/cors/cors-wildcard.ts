import { definePassiveCheck } from '../../check.ts';
import { allowedOrigin, allowsCredentials, corsLines } from '../../evidence/cors.ts';

export default definePassiveCheck({
  id: 'cors-wildcard',
  group: 'cors',
  severity: 'INFO',
  cwe: 942,
  title: 'Scripts of every site may read this page',
  why: 'For a public page that is harmless, as no cookies are sent. It is not for pages that only a network of your own reaches.',
  fix: 'If the page need not be read by scripts of other sites, do not send Access-Control-Allow-Origin with it.',
  references: ['https://fetch.spec.whatwg.org/#http-cors-protocol'],
  needs: ['cors', 'mainDocument'],

  *run({ cors, mainDocument }) {
    if (!mainDocument.isHtml) return;
    const open = cors.find(
      (answer) => answer.kind === 'foreign' && allowedOrigin(answer) === '*' && !allowsCredentials(answer),
    );
    if (open) yield { url: open.url, evidence: corsLines(open) };
  },

  examples: [
    { name: 'a star', given: { cors: { foreign: { 'access-control-allow-origin': '*' } } }, fails: 1 },
    { name: 'no word about other origins', given: {}, fails: 0 },
    {
      name: 'an API, which wants to be read',
      given: {
        headers: { 'content-type': 'application/json' },
        cors: { foreign: { 'access-control-allow-origin': '*' } },
      },
      fails: 0,
    },
  ],
});
