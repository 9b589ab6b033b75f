import { definePassiveCheck } from '../../check.ts';
import { allowedOrigin, allowsCredentials, corsLines } from '../../evidence/cors.ts';

export default definePassiveCheck({
  id: 'cors-reflected-credentials',
  group: 'cors',
  severity: 'HIGH',
  cwe: 942,
  title: 'Any site may read this page as the visitor who is signed in',
  why: 'The server allows whatever origin asks, with cookies. A page on any other site can fetch this one as its visitor and read the answer.',
  fix: 'Compare Origin with a list of the origins that need it, and answer with Access-Control-Allow-Origin only for those.',
  references: ['https://fetch.spec.whatwg.org/#http-cors-protocol', 'https://portswigger.net/web-security/cors'],
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
      name: 'any origin, with cookies',
      given: {
        cors: {
          foreign: { 'access-control-allow-origin': 'ORIGIN', 'access-control-allow-credentials': 'true' },
          preflight: { 'access-control-allow-origin': 'ORIGIN', 'access-control-allow-credentials': 'true' },
        },
      },
      fails: 1,
    },
    {
      name: 'only when asked beforehand',
      given: {
        cors: { preflight: { 'access-control-allow-origin': 'ORIGIN', 'access-control-allow-credentials': 'true' } },
      },
      fails: 1,
    },
    {
      name: 'a page that sets no cookies itself',
      given: {
        cors: { foreign: { 'Access-Control-Allow-Origin': 'ORIGIN', 'Access-Control-Allow-Credentials': 'true' } },
      },
      fails: 1,
    },
    { name: 'no word about other origins', given: {}, fails: 0 },
    { name: 'without cookies', given: { cors: { foreign: { 'access-control-allow-origin': 'ORIGIN' } } }, fails: 0 },
    {
      name: 'one partner only',
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
      name: 'a spelling that browsers do not take',
      given: {
        cors: { foreign: { 'access-control-allow-origin': 'ORIGIN', 'access-control-allow-credentials': 'True' } },
      },
      fails: 0,
    },
    {
      name: 'sent twice, which browsers do not take',
      given: {
        cors: {
          foreign: { 'access-control-allow-origin': ['ORIGIN', 'ORIGIN'], 'access-control-allow-credentials': 'true' },
        },
      },
      fails: 0,
    },
  ],
});
