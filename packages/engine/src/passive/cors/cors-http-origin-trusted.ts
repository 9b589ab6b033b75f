import { definePassiveCheck } from '../../check.ts';
import { allowedOrigin, allowsCredentials, corsLines } from '../../evidence/cors.ts';

export default definePassiveCheck({
  id: 'cors-http-origin-trusted',
  group: 'cors',
  severity: 'MEDIUM',
  cwe: 942,
  title: 'The page trusts scripts that came by plain http',
  why: 'Whoever sits between a visitor and the http address of the site can put a script there, and read this page through it with the cookies of the visitor.',
  fix: 'Allow origins with https only, the own name included.',
  references: ['https://portswigger.net/web-security/cors', 'https://fetch.spec.whatwg.org/#http-cors-protocol'],
  needs: ['cors'],
  suppressedBy: ['cors-reflected-credentials'],

  *run({ cors }) {
    const open = cors.find(
      (answer) => answer.kind === 'plain' && allowedOrigin(answer) === answer.origin && allowsCredentials(answer),
    );
    if (open) yield { url: open.url, evidence: corsLines(open) };
  },

  examples: [
    {
      name: 'the own name by http',
      given: {
        cors: { plain: { 'access-control-allow-origin': 'ORIGIN', 'access-control-allow-credentials': 'true' } },
      },
      fails: 1,
    },
    { name: 'no word about other origins', given: {}, fails: 0 },
    { name: 'without cookies', given: { cors: { plain: { 'access-control-allow-origin': 'ORIGIN' } } }, fails: 0 },
    {
      name: 'the own name by https',
      given: {
        cors: {
          plain: { 'access-control-allow-origin': 'https://site.example', 'access-control-allow-credentials': 'true' },
        },
      },
      fails: 0,
    },
  ],
});
