import { allowedOrigin, allowsCredentials, corsLines } from '../../../evidence/probes/cors.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'cors-wildcard',
  group: 'cors',
  severity: 'INFO',
  cwe: 942,
  title: 'CORS allows any origin (wildcard)',
  why: 'The page sends Access-Control-Allow-Origin: *, so scripts of any site can read it. Browsers send no cookies with such requests, which makes this harmless for public content. A page that is reachable only from an internal network can be read through the browser of an employee.',
  fix: 'Remove Access-Control-Allow-Origin unless scripts of other sites need the page. Limit the header to public API paths.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/11-Client-side_Testing/07-Testing_Cross_Origin_Resource_Sharing',
    'https://fetch.spec.whatwg.org/#http-cors-protocol',
    'https://cwe.mitre.org/data/definitions/942.html',
  ],
  needs: ['cors', 'mainDocument'],

  *run({ cors, mainDocument }) {
    if (!mainDocument.isHtml) return;
    const open = cors.find(
      (answer) => answer.kind === 'foreign' && allowedOrigin(answer) === '*' && !allowsCredentials(answer),
    );
    if (open) yield { url: open.url, evidence: corsLines(open) };
  },

  examples: [
    { name: 'wildcard', given: { cors: { foreign: { 'access-control-allow-origin': '*' } } }, fails: 1 },
    { name: 'no CORS headers', given: {}, fails: 0 },
    {
      name: 'public API response',
      given: {
        headers: { 'content-type': 'application/json' },
        cors: { foreign: { 'access-control-allow-origin': '*' } },
      },
      fails: 0,
    },
  ],
});
