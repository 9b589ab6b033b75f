import { definePassiveCheck } from '../../check.ts';
import { allowedOrigin, allowsCredentials, corsLines } from '../../evidence/cors.ts';

export default definePassiveCheck({
  id: 'cors-wildcard-credentials',
  group: 'cors',
  severity: 'LOW',
  cwe: 942,
  title: 'The server asks for every origin with cookies, which browsers refuse',
  why: 'A star together with credentials does not work. Whoever wanted it will be tempted to repeat the origin instead, which opens the site to all others.',
  fix: 'Leave Access-Control-Allow-Credentials out, or name the origins that need it.',
  references: ['https://fetch.spec.whatwg.org/#cors-protocol-and-credentials'],
  needs: ['cors'],

  *run({ cors }) {
    const open = cors.find((answer) => allowedOrigin(answer) === '*' && allowsCredentials(answer));
    if (open) yield { url: open.url, evidence: corsLines(open) };
  },

  examples: [
    {
      name: 'both',
      given: { cors: { foreign: { 'access-control-allow-origin': '*', 'access-control-allow-credentials': 'true' } } },
      fails: 1,
    },
    { name: 'no word about other origins', given: {}, fails: 0 },
    { name: 'a star alone', given: { cors: { foreign: { 'access-control-allow-origin': '*' } } }, fails: 0 },
  ],
});
