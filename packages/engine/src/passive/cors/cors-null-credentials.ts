import { definePassiveCheck } from '../../check.ts';
import { allowedOrigin, allowsCredentials, corsLines } from '../../evidence/cors.ts';

export default definePassiveCheck({
  id: 'cors-null-credentials',
  group: 'cors',
  severity: 'HIGH',
  cwe: 942,
  title: 'Sandboxed frames of any site may read this page as its visitor',
  why: 'The origin null is not a harmless one: any site gets it for a script by putting it into a sandboxed frame.',
  fix: 'Do not allow the origin null; test local files with a server on localhost instead.',
  references: ['https://fetch.spec.whatwg.org/#http-cors-protocol', 'https://portswigger.net/web-security/cors'],
  needs: ['cors'],
  suppressedBy: ['cors-reflected-credentials'],

  *run({ cors }) {
    const open = cors.find(
      (answer) => answer.kind === 'null' && allowedOrigin(answer) === 'null' && allowsCredentials(answer),
    );
    if (open) yield { url: open.url, evidence: corsLines(open) };
  },

  examples: [
    {
      name: 'null, with cookies',
      given: { cors: { null: { 'access-control-allow-origin': 'null', 'access-control-allow-credentials': 'true' } } },
      fails: 1,
    },
    { name: 'no word about other origins', given: {}, fails: 0 },
    { name: 'without cookies', given: { cors: { null: { 'access-control-allow-origin': 'null' } } }, fails: 0 },
  ],
});
