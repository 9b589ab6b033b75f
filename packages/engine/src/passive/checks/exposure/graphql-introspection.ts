import { INTROSPECTION } from '../../../evidence/probes/api-surfaces.ts';
import { defineExposureCheck } from '../../define-exposure-check.ts';

export default defineExposureCheck({
  id: 'graphql-introspection',
  severity: 'LOW',
  cwe: 200,
  title: 'GraphQL introspection enabled',
  why: 'The GraphQL endpoint answers introspection queries. An attacker lists every type, field and mutation, including ones that no page uses, and knows where to test access control. For a public API this is intended. The evidence shows the endpoint that returned its schema.',
  fix: 'Disable introspection in production, unless the API is public. Enforce authorization in every resolver, since fields can also be guessed from error messages.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/GraphQL_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/12-API_Testing/01-Testing_GraphQL',
    'https://graphql.org/learn/introspection/',
    'https://cwe.mitre.org/data/definitions/200.html',
  ],
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
      name: 'schema',
      given: { files: { 'POST /graphql': { body: '{"data":{"__schema":{"queryType":{"name":"Query"}}}}' } } },
      fails: 1,
    },
    {
      name: 'path found in a script',
      given: {
        apiSurfaces: [{ kind: 'graphql', path: '/v2/graphql', body: '{"data":{"__schema":{"queryType":{}}}}' }],
      },
      fails: 1,
    },
    { name: '404', given: {}, fails: 0 },
    {
      name: 'introspection disabled',
      given: { files: { 'POST /graphql': { body: '{"errors":[{"message":"introspection of __schema is off"}]}' } } },
      fails: 0,
    },
  ],
});
