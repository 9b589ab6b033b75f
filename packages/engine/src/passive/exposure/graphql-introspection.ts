import { INTROSPECTION } from '../../evidence/api-surfaces.ts';
import { defineExposureCheck } from '../../exposure-check.ts';

export default defineExposureCheck({
  id: 'graphql-introspection',
  severity: 'LOW',
  cwe: 200,
  title: 'The GraphQL API describes itself to everybody',
  why: 'Introspection lists every type and field, also those that no page uses. A public API wants that; a private one shows where to try.',
  fix: 'Switch introspection off outside of development, unless the API is meant for everybody.',
  references: ['https://graphql.org/learn/introspection/'],
  surface: 'graphql',
  files: [
    {
      path: '/graphql',
      method: 'POST',
      body: INTROSPECTION,
      signature: /"__schema"\s*:\s*\{\s*"queryType"/,
    },
  ],
  examples: [
    {
      name: 'the schema',
      given: { files: { 'POST /graphql': { body: '{"data":{"__schema":{"queryType":{"name":"Query"}}}}' } } },
      fails: 1,
    },
    {
      name: 'at an address that the scripts name',
      given: {
        apiSurfaces: [{ kind: 'graphql', path: '/v2/graphql', body: '{"data":{"__schema":{"queryType":{}}}}' }],
      },
      fails: 1,
    },
    { name: 'nothing there', given: {}, fails: 0 },
    {
      name: 'a refusal',
      given: { files: { 'POST /graphql': { body: '{"errors":[{"message":"introspection of __schema is off"}]}' } } },
      fails: 0,
    },
  ],
});
