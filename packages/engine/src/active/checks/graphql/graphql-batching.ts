import { readJson, textOf } from '../../../oracle/private-content.ts';
import { defineSiteCheck } from '../../define-active-check.ts';
import type { Nonce } from '../../experiment.ts';
import { endpointsAt } from '../../shared/graphql-endpoints.ts';

/** More than clients send together, but cheap: `__typename` needs no resolver. */
const TIMES = 25;

const batch = (url: string, fields: readonly string[]) => ({
  method: 'POST',
  url,
  headers: [['Content-Type', 'application/json']] as const,
  body: JSON.stringify(fields.map((field) => ({ query: `{${field}}` }))),
});

const aliasesOf = ({ word }: Pick<Nonce, 'word'>) =>
  Array.from({ length: TIMES }, (_, index) => `${word}${index}:__typename`);

/** Returns how many operations of the batch were executed, each under its own alias. */
function executedIn(text: string, { word }: Pick<Nonce, 'word'>): number {
  const answers: unknown = readJson(text);
  if (!Array.isArray(answers)) return 0;
  const typeOf = (answer: unknown, index: number) =>
    (answer as { data?: Record<string, unknown> | null } | null)?.data?.[`${word}${index}`];
  return answers.filter((answer, index) => typeof typeOf(answer, index) === 'string').length;
}

export default defineSiteCheck({
  id: 'graphql-batching',
  title: 'GraphQL batching: one request executes any number of operations',
  cwe: 770,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:L',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:L/SC:N/SI:N/SA:N',
  impact:
    'An attacker tries many passwords or codes in one request, which rate limits count once, or multiplies its load.',
  why: 'The GraphQL endpoint executes an array of operations in one request, without a limit. An attacker tries many passwords or one-time codes at once, which limits per request do not see, and multiplies the load. A batch of 25 operations was executed completely; in a batch with an unknown field, only that operation failed.',
  fix: 'Disable batching, or limit the number of operations in a request to what your own client sends. Count operations, not requests, in rate limits.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/GraphQL_Cheat_Sheet.html',
    'https://owasp.org/API-Security/editions/2023/en/0xa4-unrestricted-resource-consumption/',
    'https://cwe.mitre.org/data/definitions/770.html',
  ],
  risk: 'harmless',
  depth: 'STANDARD',
  appliesTo: (site, known) => endpointsAt(site, known).length > 0,
  variants: [] as string[],
  async probe(site, { word }, { ask, known }) {
    const open: string[] = [];
    for (const place of endpointsAt(site, known)) {
      const one = await ask(batch(place, [`${word}0:__typename`]));
      if (executedIn(textOf(one), { word }) === 1) open.push(place);
    }
    return open;
  },
  maxRequests: 22,
  placeOf: (_site, place) => place,
  proof: {
    plan: (_site, place, nonce) => ({
      many: { label: `batch of ${TIMES} operations`, request: batch(place, aliasesOf(nonce)) },
      wrong: {
        label: 'the same batch with one unknown field',
        request: batch(place, [...aliasesOf(nonce).slice(0, -1), `x${nonce.word}`]),
        isControl: true,
      },
    }),
    judge({ many, wrong }, _place, nonce) {
      if (executedIn(textOf(many), nonce) !== TIMES || /"errors"/.test(textOf(many))) return 'REFUTED';
      // An endpoint that answers every operation alike did not evaluate them.
      return executedIn(textOf(wrong), nonce) < TIMES && /"errors"/.test(textOf(wrong)) ? 'PROVED' : 'REFUTED';
    },
  },
  lab() {
    const headers = { 'content-type': 'application/json' };
    const run = (query: string) => {
      const [, name = '', field = ''] = /(\w+):(\w+)/.exec(query) ?? [];
      return field === '__typename' ? { data: { [name]: 'Query' } } : { errors: [{ message: 'no such field' }] };
    };
    const answer = (body: string, most: number) => {
      const sent: unknown = readJson(body);
      const operations = (Array.isArray(sent) ? sent : [sent]) as { query: string }[];
      const told =
        operations.length > most ? { errors: [{ message: 'too many' }] } : operations.map((each) => run(each.query));
      return { headers, body: JSON.stringify(told) };
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
      // Its own client sends up to ten.
      safe: ({ body }) => answer(body, 10),
    };
  },
});
