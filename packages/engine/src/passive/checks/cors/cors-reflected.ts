import { allowedOrigin, allowsCredentials, corsLines } from '../../../evidence/probes/cors.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'cors-reflected',
  group: 'cors',
  severity: 'LOW',
  cwe: 942,
  title: 'CORS reflects any origin without credentials',
  why: 'The server copies the Origin header of the request into Access-Control-Allow-Origin, without allowing credentials. Scripts of any site can read the response as an anonymous visitor. If Access-Control-Allow-Credentials is ever added, every site can read the data of signed-in users.',
  fix: 'Send Access-Control-Allow-Origin: * if the response is public. Otherwise compare the Origin header with an exact allowlist.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/11-Client-side_Testing/07-Testing_Cross_Origin_Resource_Sharing',
    'https://fetch.spec.whatwg.org/#http-cors-protocol',
    'https://cwe.mitre.org/data/definitions/942.html',
  ],
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
    { name: 'no CORS headers', given: {}, fails: 0 },
    {
      name: 'wildcard, which is explicit',
      given: { cors: { foreign: { 'access-control-allow-origin': '*' } } },
      fails: 0,
    },
  ],
});
