import { allowedOrigin, allowsCredentials, corsLines } from '../../../evidence/probes/cors.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'cors-reflected-credentials',
  group: 'cors',
  severity: 'HIGH',
  cwe: 942,
  title: 'CORS reflects any origin and allows credentials',
  why: 'The server copies the Origin header of the request into Access-Control-Allow-Origin and sends Access-Control-Allow-Credentials: true. A malicious site can request this page with the cookies of a signed-in user and read the response. The evidence shows the random origin that we sent and the CORS headers received.',
  fix: 'Compare the Origin header with an exact allowlist of trusted origins. Send Access-Control-Allow-Origin and Access-Control-Allow-Credentials for those origins only.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/11-Client-side_Testing/07-Testing_Cross_Origin_Resource_Sharing',
    'https://portswigger.net/web-security/cors',
    'https://fetch.spec.whatwg.org/#http-cors-protocol',
    'https://cwe.mitre.org/data/definitions/942.html',
  ],
  needs: ['cors'],

  *run({ cors }) {
    const open = cors.find(
      (answer) =>
        (answer.kind === 'foreign' || answer.kind === 'preflight') &&
        allowedOrigin(answer) === answer.origin &&
        allowsCredentials(answer),
    );
    if (open) yield { url: open.url, evidence: corsLines(open) };
  },

  examples: [
    {
      name: 'any origin with credentials',
      given: {
        cors: {
          foreign: { 'access-control-allow-origin': 'ORIGIN', 'access-control-allow-credentials': 'true' },
          preflight: { 'access-control-allow-origin': 'ORIGIN', 'access-control-allow-credentials': 'true' },
        },
      },
      fails: 1,
    },
    {
      name: 'in the preflight response only',
      given: {
        cors: { preflight: { 'access-control-allow-origin': 'ORIGIN', 'access-control-allow-credentials': 'true' } },
      },
      fails: 1,
    },
    {
      name: 'header names in mixed case',
      given: {
        cors: { foreign: { 'Access-Control-Allow-Origin': 'ORIGIN', 'Access-Control-Allow-Credentials': 'true' } },
      },
      fails: 1,
    },
    { name: 'no CORS headers', given: {}, fails: 0 },
    {
      name: 'without credentials',
      given: { cors: { foreign: { 'access-control-allow-origin': 'ORIGIN' } } },
      fails: 0,
    },
    {
      name: 'one fixed partner origin',
      given: {
        cors: {
          foreign: {
            'access-control-allow-origin': 'https://partner.example',
            'access-control-allow-credentials': 'true',
          },
        },
      },
      fails: 0,
    },
    {
      name: 'True, which browsers ignore',
      given: {
        cors: { foreign: { 'access-control-allow-origin': 'ORIGIN', 'access-control-allow-credentials': 'True' } },
      },
      fails: 0,
    },
    {
      name: 'header sent twice, which browsers reject',
      given: {
        cors: {
          foreign: { 'access-control-allow-origin': ['ORIGIN', 'ORIGIN'], 'access-control-allow-credentials': 'true' },
        },
      },
      fails: 0,
    },
  ],
});
