import { allowedOrigin, allowsCredentials, corsLines } from '../../../evidence/probes/cors.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'cors-null-credentials',
  group: 'cors',
  severity: 'HIGH',
  cwe: 942,
  title: 'CORS allows the null origin with credentials',
  why: 'The response allows the origin null in Access-Control-Allow-Origin, with credentials. Any site can send requests with this origin from a sandboxed iframe. A malicious page can therefore read this response with the cookies of the user.',
  fix: 'Remove null from the allowed origins. Serve local development files from an HTTP server on localhost and allow that origin in development only.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/11-Client-side_Testing/07-Testing_Cross_Origin_Resource_Sharing',
    'https://portswigger.net/web-security/cors',
    'https://fetch.spec.whatwg.org/#http-cors-protocol',
    'https://cwe.mitre.org/data/definitions/942.html',
  ],
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
      name: 'null with credentials',
      given: { cors: { null: { 'access-control-allow-origin': 'null', 'access-control-allow-credentials': 'true' } } },
      fails: 1,
    },
    { name: 'no CORS headers', given: {}, fails: 0 },
    { name: 'without credentials', given: { cors: { null: { 'access-control-allow-origin': 'null' } } }, fails: 0 },
  ],
});
