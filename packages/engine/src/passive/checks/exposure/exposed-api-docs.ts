import { defineExposureCheck } from '../../define-exposure-check.ts';

const description = (path: string) => ({ path, signature: /"(openapi|swagger)"\s*:\s*"[23]\.[\d.]+"/ });

export default defineExposureCheck({
  id: 'exposed-api-docs',
  severity: 'INFO',
  cwe: 200,
  title: 'API documentation exposed (OpenAPI/Swagger)',
  why: 'The OpenAPI or Swagger description of the API is public. For a private API it gives an attacker every endpoint and parameter, including undocumented and administrative ones. For a public API this is intended. The evidence shows the path and the version field.',
  fix: 'If the API is not public, require authentication for its description or do not deploy it to production. Do not rely on hidden endpoints: enforce authorization on each of them.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/REST_Security_Cheat_Sheet.html',
    'https://spec.openapis.org/oas/latest.html',
    'https://cwe.mitre.org/data/definitions/200.html',
  ],
  surface: 'description',
  files: [description('/openapi.json'), description('/v3/api-docs')],
  examples: [
    { name: 'OpenAPI', given: { files: { '/openapi.json': { body: '{"openapi": "3.1.0", "paths": {}}' } } }, fails: 1 },
    { name: 'springdoc', given: { files: { '/v3/api-docs': { body: '{"openapi":"3.0.1"}' } } }, fails: 1 },
    {
      name: 'path found in a script',
      given: { apiSurfaces: [{ kind: 'description', path: '/docs/swagger.json', body: '{"swagger":"2.0"}' }] },
      fails: 1,
    },
    {
      name: 'single-page app that answers every path',
      given: { apiSurfaces: [{ kind: 'description', path: '/api-docs', body: '<!doctype html>"openapi":"3.0.0"' }] },
      fails: 0,
    },
    { name: '404', given: {}, fails: 0 },
    { name: 'unrelated JSON', given: { files: { '/openapi.json': { body: '{"openapi": true}' } } }, fails: 0 },
  ],
});
