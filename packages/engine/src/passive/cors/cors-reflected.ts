import { definePassiveCheck } from '../../check.ts';
import { allowedOrigin, allowsCredentials, corsLines } from '../../evidence/cors.ts';

export default definePassiveCheck({
  id: 'cors-reflected',
  group: 'cors',
  severity: 'LOW',
  cwe: 942,
  title: 'The server allows whatever origin asks',
  why: 'Repeating the Origin header has the power of a star, hides that everybody is allowed, and is one header away from giving out what signed-in visitors see.',
  fix: 'Send Access-Control-Allow-Origin: * if everybody may read this, or compare Origin with a list.',
  references: ['https://fetch.spec.whatwg.org/#http-cors-protocol'],
  needs: ['cors'],
  suppressedBy: ['cors-reflected-credentials'],

  *run({ cors }) {
    const open = cors.find(
      (answer) => answer.kind === 'foreign' && allowedOrigin(answer) === answer.origin && !allowsCredentials(answer),
    );
    if (open) yield { url: open.url, evidence: corsLines(open) };
  },

  examples: [
    { name: 'any origin', given: { cors: { foreign: { 'access-control-allow-origin': 'ORIGIN' } } }, fails: 1 },
    { name: 'no word about other origins', given: {}, fails: 0 },
    {
      name: 'a star, which has the same power and says so',
      given: { cors: { foreign: { 'access-control-allow-origin': '*' } } },
      fails: 0,
    },
  ],
});
