import { defineExposureCheck } from '../../exposure-check.ts';

const description = (path: string) => ({ path, signature: /"(openapi|swagger)"\s*:\s*"[23]\.[\d.]+"/ });

export default defineExposureCheck({
  id: 'exposed-api-docs',
  severity: 'INFO',
  cwe: 200,
  title: 'The description of the API is public',
  why: 'It lists every call. For an API that is meant for everybody that is a service; for one that is not it is a map.',
  fix: 'If the API is not meant for everybody, ask for a sign-in before its description.',
  references: ['https://spec.openapis.org/oas/latest.html'],
  surface: 'description',
  files: [description('/openapi.json'), description('/v3/api-docs')],
  examples: [
    { name: 'OpenAPI', given: { files: { '/openapi.json': { body: '{"openapi": "3.1.0", "paths": {}}' } } }, fails: 1 },
    { name: 'of Spring', given: { files: { '/v3/api-docs': { body: '{"openapi":"3.0.1"}' } } }, fails: 1 },
    {
      name: 'one that the scripts name',
      given: { apiSurfaces: [{ kind: 'description', path: '/docs/swagger.json', body: '{"swagger":"2.0"}' }] },
      fails: 1,
    },
    {
      name: 'an app that has a page for everything',
      given: { apiSurfaces: [{ kind: 'description', path: '/api-docs', body: '<!doctype html>"openapi":"3.0.0"' }] },
      fails: 0,
    },
    { name: 'nothing there', given: {}, fails: 0 },
    { name: 'another JSON', given: { files: { '/openapi.json': { body: '{"openapi": true}' } } }, fails: 0 },
  ],
});
