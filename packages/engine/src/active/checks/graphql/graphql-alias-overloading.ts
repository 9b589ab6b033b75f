import { readJson, textOf } from '../../../oracle/private-content.ts';
import { defineSiteCheck } from '../../define-active-check.ts';
import type { Nonce } from '../../experiment.ts';
import { endpointsAt } from '../../shared/graphql-endpoints.ts';

/** More than any page sends, but cheap: `__typename` needs no resolver. */
const TIMES = 200;

const question = (url: string, fields: string) => ({
  method: 'POST',
  url,
  headers: [['Content-Type', 'application/json']] as const,
  body: JSON.stringify({ query: `{${fields}}` }),
});
const times = (count: number, { word }: Pick<Nonce, 'word'>) =>
  Array.from({ length: count }, (_, index) => `${word}${index}:__typename`).join(' ');

/** Returns how many of our aliases have a type in the response. */
function answeredIn(text: string, { word }: Pick<Nonce, 'word'>): number {
  const { data } = (readJson(text) ?? {}) as { data?: unknown };
  const fields = typeof data === 'object' && data !== null ? Object.entries(data) : [];
  return fields.filter(([name, type]) => name.startsWith(word) && typeof type === 'string').length;
}

export default defineSiteCheck({
  id: 'graphql-alias-overloading',
  title: 'GraphQL alias overloading: no limit on fields per request',
  cwe: 770,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:L',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:L/SC:N/SI:N/SA:N',
  impact:
    'An attacker slows the service down with few requests, or tries hundreds of passwords in one request that rate limits count once.',
  why: 'The GraphQL endpoint executes the same field any number of times within one request, under different aliases. An attacker multiplies the load per request and bypasses rate limits, for example to try hundreds of passwords or codes at once. A query with many aliases was executed completely.',
  fix: 'Limit the number of aliases and fields, the depth and the total cost of a document, and reject requests above the limit before execution. Count operations, not requests, in rate limits.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/GraphQL_Cheat_Sheet.html',
    'https://owasp.org/API-Security/editions/2023/en/0xa4-unrestricted-resource-consumption/',
    'https://cwe.mitre.org/data/definitions/770.html',
  ],
  risk: 'harmless',
  depth: 'STANDARD',
  appliesTo: (site, known) => endpointsAt(site, known).length > 0,
  variants: [] as string[],
  probe: async (site, _nonce, { known }) => endpointsAt(site, known),
  maxRequests: 18,
  placeOf: (_site, place) => place,
  proof: {
    plan: (_site, place, nonce) => ({
      one: { label: 'query with one alias', request: question(place, times(1, nonce)), isControl: true },
      many: { label: 'query with many aliases', request: question(place, times(TIMES, nonce)) },
      wrong: {
        label: 'query with many aliases and one unknown field',
        request: question(place, `${times(TIMES, nonce)} x:x${nonce.word}`),
        isControl: true,
      },
    }),
    judge({ one, many, wrong }, _place, nonce) {
      if (answeredIn(textOf(one), nonce) !== 1 || answeredIn(textOf(many), nonce) !== TIMES) return 'REFUTED';
      // An endpoint that accepts an invalid query as well did not evaluate it.
      return /"errors"/.test(textOf(wrong)) && !/"errors"/.test(textOf(many)) ? 'PROVED' : 'REFUTED';
    },
  },
  lab() {
    const headers = { 'content-type': 'application/json' };
    const answer = (body: string, most: number) => {
      const names = [...body.matchAll(/(\w+):(\w+)/g)].map(([, name = '', field = '']) => [name, field] as const);
      const known = names.filter(([, field]) => field === '__typename').map(([name]) => [name, 'Query']);
      const errors = names.length > most ? ['too much'] : names.length > known.length ? ['no such field'] : undefined;
      const data = names.length > most ? null : Object.fromEntries(known);
      return { headers, body: JSON.stringify({ data, errors }) };
    };
    return {
      item: {
        method: 'POST',
        url: '/graphql',
        operation: 'query me',
        parameters: [],
        seenAs: null,
        contentType: 'application/json',
      },
      vulnerable: ({ body }) => answer(body, 10_000),
      safe: ({ body }) => answer(body, 100),
    };
  },
});
