import { allowedOrigin, type CrossOriginAnswer, corsLines } from '../../../evidence/probes/cors.ts';
import { headerValues } from '../../../http/exchange/headers.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const variesByOrigin = ({ headers }: CrossOriginAnswer) =>
  headerValues(headers, 'vary').some((value) => value.split(',').some((name) => /^(origin|\*)$/i.test(name.trim())));

const isNeverStored = ({ headers }: CrossOriginAnswer) =>
  /\bno-store\b/i.test(headerValues(headers, 'cache-control').join());

export default definePassiveCheck({
  id: 'cors-vary-missing',
  group: 'cors',
  severity: 'LOW',
  cwe: 524,
  title: 'CORS response varies by origin without Vary: Origin',
  why: 'Access-Control-Allow-Origin depends on the Origin header of the request, but the response lacks Vary: Origin. A shared cache can store the response for one origin and serve it to another. Legitimate sites then lose access, or an attacker poisons the cache with their own origin.',
  fix: 'Send Vary: Origin with every response whose Access-Control-Allow-Origin depends on the request. Include responses without Access-Control-Allow-Origin, since caches store them as well.',
  references: [
    'https://fetch.spec.whatwg.org/#cors-protocol-and-http-caches',
    'https://www.rfc-editor.org/rfc/rfc9110#section-12.5.5',
    'https://cwe.mitre.org/data/definitions/524.html',
  ],
  needs: ['cors'],

  *run({ cors }) {
    const asked = cors.filter(({ kind }) => kind !== 'preflight');
    if (new Set(asked.map(allowedOrigin)).size < 2) return;
    const open = asked.find(
      (answer) => allowedOrigin(answer) === answer.origin && !variesByOrigin(answer) && !isNeverStored(answer),
    );
    if (open) yield { url: open.url, evidence: corsLines(open) };
  },

  examples: [
    {
      name: 'reflected origin without Vary',
      given: { cors: { foreign: { 'access-control-allow-origin': 'ORIGIN' } } },
      fails: 1,
    },
    {
      name: 'Vary without Origin',
      given: { cors: { foreign: { 'access-control-allow-origin': 'ORIGIN', vary: 'accept-encoding' } } },
      fails: 1,
    },
    { name: 'no CORS headers', given: {}, fails: 0 },
    {
      name: 'Vary: Origin',
      given: { cors: { foreign: { 'access-control-allow-origin': 'ORIGIN', vary: 'Accept-Encoding, Origin' } } },
      fails: 0,
    },
    {
      name: 'not cacheable',
      given: { cors: { foreign: { 'access-control-allow-origin': 'ORIGIN', 'cache-control': 'no-store' } } },
      fails: 0,
    },
    {
      name: 'same origin for every request',
      given: {
        cors: {
          foreign: { 'access-control-allow-origin': 'http://site.example' },
          null: { 'access-control-allow-origin': 'http://site.example' },
          plain: { 'access-control-allow-origin': 'http://site.example' },
        },
      },
      fails: 0,
    },
  ],
});
