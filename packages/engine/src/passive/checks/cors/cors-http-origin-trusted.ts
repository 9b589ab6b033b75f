import { allowedOrigin, allowsCredentials, corsLines } from '../../../evidence/probes/cors.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'cors-http-origin-trusted',
  group: 'cors',
  severity: 'MEDIUM',
  cwe: 942,
  title: 'CORS trusts the HTTP origin of the site and allows credentials',
  why: 'The response allows the unencrypted HTTP origin of the site in Access-Control-Allow-Origin, with credentials. An attacker on the network path can inject a script into an HTTP response of that origin and read this HTTPS page with the cookies of the user. The evidence shows the Origin header sent and the CORS headers received.',
  fix: 'Allow HTTPS origins only, also for the host name of the site itself. Compare the complete origin, including the scheme, with an allowlist.',
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
      (answer) => answer.kind === 'plain' && allowedOrigin(answer) === answer.origin && allowsCredentials(answer),
    );
    if (open) yield { url: open.url, evidence: corsLines(open) };
  },

  examples: [
    {
      name: 'HTTP origin of the site',
      given: {
        cors: { plain: { 'access-control-allow-origin': 'ORIGIN', 'access-control-allow-credentials': 'true' } },
      },
      fails: 1,
    },
    { name: 'no CORS headers', given: {}, fails: 0 },
    { name: 'without credentials', given: { cors: { plain: { 'access-control-allow-origin': 'ORIGIN' } } }, fails: 0 },
    {
      name: 'HTTPS origin of the site',
      given: {
        cors: {
          plain: { 'access-control-allow-origin': 'https://site.example', 'access-control-allow-credentials': 'true' },
        },
      },
      fails: 0,
    },
  ],
});
