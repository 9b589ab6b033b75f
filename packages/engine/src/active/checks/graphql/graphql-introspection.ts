import { readJson, textOf } from '../../../oracle/private-content.ts';
import { defineSiteCheck, type Known, type Site } from '../../define-active-check.ts';

const USUAL = ['/graphql', '/api/graphql', '/graphql/v1', '/v1/graphql', '/query'];
const QUERY = '{__schema{queryType{name} types{name}}}';

function placesAt({ origin }: Site, { inventory }: Known): string[] {
  const met = inventory
    .filter(({ url, operation }) => url.startsWith(`${origin}/`) && (operation !== undefined || /graphql/i.test(url)))
    .map(({ url }) => url.replace(/[?#].*$/s, ''));
  return [...new Set([...met, ...USUAL.map((path) => origin + path)])].slice(0, USUAL.length + 2);
}

const question = (url: string, query: string) => ({
  method: 'POST',
  url,
  headers: [['Content-Type', 'application/json']] as const,
  body: JSON.stringify({ query }),
});

/** Returns the number of types in the schema; 0 if the response is no schema. */
function typesIn(text: string): number {
  const answer = readJson(text) as { data?: { __schema?: { types?: unknown } } } | null | undefined;
  const types = answer?.data?.__schema?.types;
  return Array.isArray(types) ? types.length : 0;
}

export default defineSiteCheck({
  id: 'graphql-introspection',
  title: 'GraphQL introspection enabled',
  cwe: 200,
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker reads all types, queries and mutations of the API, including those that no client uses.',
  asvs: '4.3.2',
  why: 'The GraphQL endpoint returns its complete schema, including types, fields and mutations that no page uses. An attacker gets a map of the API. This is intended for public APIs and a disclosure for private ones.',
  fix: 'Disable introspection in production, unless the API is meant for the public. Authorize every field on the server in either case.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/GraphQL_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/12-API_Testing/01-Testing_GraphQL',
    'https://cwe.mitre.org/data/definitions/200.html',
  ],
  risk: 'harmless',
  appliesTo: () => true,
  variants: USUAL,
  async probe(site, _nonce, { ask, known }) {
    for (const place of placesAt(site, known)) {
      if (typesIn(textOf(await ask(question(place, QUERY)))) > 0) return [place];
    }
    return [];
  },
  maxRequests: 12,
  placeOf: (_site, place) => place,
  proof: {
    plan: (_site, place, { word }) => ({
      schema: { label: 'introspection query', request: question(place, QUERY) },
      nonsense: {
        label: 'query for a field that does not exist',
        request: question(place, `{${word}}`),
        isControl: true,
      },
    }),
    judge: ({ schema, nonsense }) =>
      typesIn(textOf(schema)) > 0 && typesIn(textOf(nonsense)) === 0 ? 'PROVED' : 'REFUTED',
  },
  lab() {
    const headers = { 'content-type': 'application/json' };
    const schema = '{"data":{"__schema":{"queryType":{"name":"Query"},"types":[{"name":"Query"},{"name":"Tea"}]}}}';
    const refusal = { status: 400, headers, body: '{"errors":[{"message":"__schema is switched off"}]}' };
    return {
      item: { method: 'POST', url: '/graphql', parameters: [], seenAs: null, contentType: 'application/json' },
      vulnerable: ({ path, body }) =>
        path === '/graphql' && body.includes('__schema') ? { headers, body: schema } : refusal,
      safe: () => refusal,
    };
  },
});
