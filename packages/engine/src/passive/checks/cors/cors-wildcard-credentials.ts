import { allowedOrigin, allowsCredentials, corsLines } from '../../../evidence/probes/cors.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'cors-wildcard-credentials',
  group: 'cors',
  severity: 'LOW',
  cwe: 942,
  title: 'CORS combines a wildcard origin with credentials',
  why: 'The response sends Access-Control-Allow-Origin: * together with Access-Control-Allow-Credentials: true. Browsers reject the combination, so credentialed requests fail and no data leaks today. The usual workaround, reflecting the Origin header, would let any site read the data of signed-in users.',
  fix: 'Remove Access-Control-Allow-Credentials if the response is public. Otherwise replace the wildcard with an exact allowlist of origins.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/11-Client-side_Testing/07-Testing_Cross_Origin_Resource_Sharing',
    'https://fetch.spec.whatwg.org/#cors-protocol-and-credentials',
    'https://cwe.mitre.org/data/definitions/942.html',
  ],
  needs: ['cors'],

  *run({ cors }) {
    const open = cors.find((answer) => allowedOrigin(answer) === '*' && allowsCredentials(answer));
    if (open) yield { url: open.url, evidence: corsLines(open) };
  },

  examples: [
    {
      name: 'wildcard with credentials',
      given: { cors: { foreign: { 'access-control-allow-origin': '*', 'access-control-allow-credentials': 'true' } } },
      fails: 1,
    },
    { name: 'no CORS headers', given: {}, fails: 0 },
    { name: 'wildcard alone', given: { cors: { foreign: { 'access-control-allow-origin': '*' } } }, fails: 0 },
  ],
});
