import { definePassiveCheck } from '../../check.ts';
import { allowedOrigin, type CrossOriginAnswer, corsLines } from '../../evidence/cors.ts';
import { headerValues } from '../../http/headers.ts';

const variesByOrigin = ({ headers }: CrossOriginAnswer) =>
  headerValues(headers, 'vary').some((value) => value.split(',').some((name) => /^(origin|\*)$/i.test(name.trim())));

const isNeverStored = ({ headers }: CrossOriginAnswer) =>
  /\bno-store\b/i.test(headerValues(headers, 'cache-control').join());

export default definePassiveCheck({
  id: 'cors-vary-missing',
  group: 'cors',
  severity: 'LOW',
  cwe: 524,
  title: 'Caches may give one origin the permission of another',
  why: 'The permission depends on who asks, but the answer does not say so: a cache may keep it for one origin and hand it to the next.',
  fix: 'Send Vary: Origin with every answer whose Access-Control-Allow-Origin depends on the request.',
  references: ['https://fetch.spec.whatwg.org/#cors-protocol-and-http-caches'],
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
    { name: 'one of several', given: { cors: { foreign: { 'access-control-allow-origin': 'ORIGIN' } } }, fails: 1 },
    {
      name: 'varies by something else',
      given: { cors: { foreign: { 'access-control-allow-origin': 'ORIGIN', vary: 'accept-encoding' } } },
      fails: 1,
    },
    { name: 'no word about other origins', given: {}, fails: 0 },
    {
      name: 'varies',
      given: { cors: { foreign: { 'access-control-allow-origin': 'ORIGIN', vary: 'Accept-Encoding, Origin' } } },
      fails: 0,
    },
    {
      name: 'never stored',
      given: { cors: { foreign: { 'access-control-allow-origin': 'ORIGIN', 'cache-control': 'no-store' } } },
      fails: 0,
    },
    {
      name: 'the same for all',
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
