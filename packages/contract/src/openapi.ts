import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';
import { type EndpointName, endpoints, idempotencyKeyPattern } from './endpoints.ts';
import { answerHeaders, describeAnswers } from './openapi-answers.ts';
import { exampleIdempotencyKey, startSample } from './openapi-code-samples.ts';
import type { JsonSchema, OpenApiDocument, Operation, Parameter, PathItem, Reference } from './openapi-document.ts';
import { guide } from './openapi-guide.ts';
import { createSchemaCollection, type SchemaCollection } from './openapi-schemas.ts';
import { queryMeta } from './query.ts';

const tags = [
  { name: 'Credits', description: 'Credit balance and usage of the account.' },
  { name: 'Levels', description: 'Price and limits of each pentest level.' },
  { name: 'Scans', description: 'Passive scans: free, a few minutes, any public site.' },
  { name: 'Pentests', description: 'AI pentests of verified targets: hours, paid with credits.' },
  { name: 'Targets', description: 'Targets that the account may test, and their rules of engagement.' },
  { name: 'Key', description: 'The API key that a request is sent with.' },
];

const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description:
    '1 to 255 visible ASCII characters, no spaces. For 24 hours the same key with the same body replays the first ' +
    'response and starts nothing; a different body is rejected. Only successful responses are stored.',
  schema: { type: 'string', pattern: idempotencyKeyPattern.source },
  example: exampleIdempotencyKey,
};

const securityDescription =
  'An API key. The operator of this service creates it with `sortie admin key create`. Each endpoint lists the permission that it needs: ' +
  'both the key and the role of its creator must have it.';

function describePath({ path }: Endpoint): Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: 'An unknown or malformed id results in 404.',
    schema: { type: 'string' },
  }));
}

function describeQuery({ query }: Endpoint, schemas: SchemaCollection): Parameter[] {
  const { properties = {}, required = [] } = schemas.describe(z.object(query), 'input');
  return Object.entries(query).map(([name, schema]) => {
    const { description = '', ...fromZod } = properties[name] as JsonSchema;
    const described = (queryMeta.get(schema) as JsonSchema | undefined) ?? fromZod;
    return {
      name,
      in: 'query',
      required: required.includes(name),
      description,
      ...(described.type === 'array' ? { style: 'form', explode: false } : {}),
      schema: described,
    };
  });
}

function describeParameters(endpoint: Endpoint, schemas: SchemaCollection): (Parameter | Reference)[] {
  return [
    ...describePath(endpoint),
    ...(endpoint.idempotent ? [{ $ref: '#/components/parameters/Idempotency-Key' }] : []),
    ...describeQuery(endpoint, schemas),
  ];
}

function describeOperation(name: EndpointName, endpoint: Endpoint, schemas: SchemaCollection): Operation {
  const { body, permission, limit } = endpoint;
  const parameters = describeParameters(endpoint, schemas);
  const counted = limit === 'read' ? 'Counts as a read.' : 'Counts as a start or cancel.';
  return {
    operationId: name,
    tags: tags.flatMap((tag) => (endpoint.path.startsWith(`/v1/${tag.name.toLowerCase()}`) ? [tag.name] : [])),
    summary: endpoint.summary,
    description: `${endpoint.description}\n\n${permission ? `Permission: \`${permission}\`.` : 'Any valid key.'} ${counted}`,
    security: [{ apiKey: permission ? [permission] : [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(typeof body === 'string'
      ? {}
      : {
          requestBody: { required: true, content: { 'application/json': { schema: schemas.describe(body, 'input') } } },
        }),
    responses: describeAnswers(name, endpoint, schemas),
    ...(endpoint.idempotent ? { 'x-codeSamples': [startSample(endpoint)] } : {}),
  };
}

/** Returns the contract as an OpenAPI 3.1 document. */
export function buildOpenApi({ serverUrl = '/' }: { serverUrl?: string } = {}): OpenApiDocument {
  const schemas = createSchemaCollection();
  const paths: Record<string, PathItem> = {};
  for (const name of Object.keys(endpoints) as EndpointName[]) {
    const endpoint: Endpoint = endpoints[name];
    const method = endpoint.method === 'GET' ? 'get' : 'post';
    paths[endpoint.path] = { ...paths[endpoint.path], [method]: describeOperation(name, endpoint, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sortie API',
      version: 'v1',
      description: guide,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    tags,
    paths,
    components: {
      schemas: schemas.components(),
      headers: answerHeaders,
      parameters: { 'Idempotency-Key': idempotencyKey },
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: securityDescription } },
    },
  };
}
