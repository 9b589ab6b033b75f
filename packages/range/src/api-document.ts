import { json, type Routes } from './answer.ts';
import { answerKey } from './answer-key.ts';
import { type Flaw, type Place, placeOf, twinOf, withIds } from './flaw.ts';
import type { IdOf } from './ids.ts';
import type { Services } from './services.ts';
import { traps } from './traps/traps.ts';
import { wardenOperations } from './wardens/routes.ts';

/**
 * The API description, generated from the answer key: each flaw and each safe twin, in a way that does not tell them
 * apart.
 */

type Schema = { type: string; example?: unknown; properties?: Record<string, Schema> };

/** Endpoints of the API that are not in the answer key. */
const others: Record<string, readonly string[]> = {
  get: [
    '/api/products',
    '/api/orders',
    '/api/invoices',
    '/api/bills',
    '/api/profile',
    '/api/membership',
    '/api/preferences',
    '/api/choices',
    '/api/signature',
    '/api/signature-line',
    '/api/jwks.json',
    '/api/public/hours',
  ],
};

/** Includes PUT, because HTML forms cannot send it. */
const isForPrograms = ({ path, method }: Place) =>
  path.startsWith('/api/') || path === '/graphql' || path === '/gql' || method === 'PUT';

const valueFor = (example: string): Schema =>
  /^\d+$/.test(example) ? { type: 'integer', example: Number(example) } : { type: 'string', example };

function schemaFor(pointer: string, example: string): Schema {
  const [name = '', ...rest] = pointer.split('/').slice(1);
  const inner = rest.length === 0 ? valueFor(example) : schemaFor(`/${rest.join('/')}`, example);
  return { type: 'object', properties: { [name]: inner } };
}

function bodyFor({ location, parameter, path }: Place, { check, sample, others: more }: Flaw): unknown {
  if (location === 'body') return { content: { 'application/xml': { example: sample } } };
  if (path === '/graphql' || path === '/gql') {
    return {
      content: {
        'application/json': {
          schema: { type: 'object', properties: { query: { type: 'string', example: '{ products { name } }' } } },
        },
      },
    };
  }
  const isPlain = location === 'path' && Object.keys(more).length > 0;
  if (location !== 'json' && !isPlain) return undefined;
  // Fields that no legitimate client sends are left out.
  const schema =
    isPlain || check === 'MASS' || parameter.startsWith('/__') ? { type: 'object' } : schemaFor(parameter, sample);
  const fields = Object.fromEntries(Object.entries(more).map(([name, example]) => [name, valueFor(example)]));
  return {
    content: { 'application/json': { schema: { ...schema, properties: { ...fields, ...schema.properties } } } },
  };
}

function operationFor(place: Place, flaw: Flaw): unknown {
  const { location, parameter } = place;
  const schema = valueFor(flaw.sample);
  const isNamed = location === 'query' || location === 'path';
  const parameters = isNamed ? [{ name: parameter, in: location, required: location === 'path', schema }] : [];
  const requestBody = bodyFor(place, flaw);
  const security =
    flaw.as === 'anyone'
      ? []
      : [location === 'header' && parameter === 'authorization' ? { token: [] } : { session: [] }];
  return {
    parameters,
    security,
    ...(requestBody ? { requestBody } : {}),
    responses: { 200: { description: 'As asked.' } },
  };
}

const text: Schema = { type: 'string' };
const motto = {
  get: { parameters: [], responses: { 200: { description: 'As asked.' } } },
  put: {
    parameters: [],
    requestBody: {
      content: { 'application/json': { schema: { type: 'object', properties: { motto: valueFor('Onward') } } } },
    },
    responses: { 200: { description: 'As asked.' } },
  },
};
const session = {
  parameters: [],
  requestBody: {
    content: {
      'application/json': { schema: { type: 'object', properties: { username: text, password: text, service: text } } },
    },
  },
  responses: { 200: { description: 'A token.' } },
};

/** A request with these examples in a JSON body, or without a body. */
function operationWith(fields: Readonly<Record<string, string>>): unknown {
  const properties = Object.fromEntries(Object.entries(fields).map(([name, example]) => [name, valueFor(example)]));
  const content = { 'application/json': { schema: { type: 'object', properties } } };
  return {
    parameters: [],
    ...(Object.keys(properties).length > 0 && { requestBody: { content } }),
    responses: { 200: { description: 'As asked.' } },
  };
}

function apiDocument(idOf: IdOf): unknown {
  const paths: Record<string, Record<string, unknown>> = {
    '/api/session': { post: session },
    '/api/my/motto': motto,
  };
  const add = (path: string, method: string, operation: unknown) => {
    paths[path] = { [method.toLowerCase()]: operation, ...paths[path] };
  };
  for (const [path, fields] of Object.entries(wardenOperations)) add(path, 'post', operationWith(fields));
  for (const flaw of answerKey.map((each) => withIds(each, idOf))) {
    for (const place of [placeOf(flaw), twinOf(flaw)].filter(isForPrograms))
      add(place.path, place.method, operationFor(place, flaw));
  }
  for (const path of others.get ?? [])
    add(path, 'get', { parameters: [], responses: { 200: { description: 'As asked.' } } });
  const summary = 'Resets the shop to the state of its first day';
  for (const { path } of traps.filter(({ kind, path }) => kind === 'forbidden' && path.startsWith('/api/'))) {
    add(path, 'get', { summary, parameters: [], responses: { 200: { description: 'Done.' } } });
  }
  const securitySchemes = {
    session: { type: 'apiKey', in: 'cookie', name: 'shop_session' },
    token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  };
  const sorted = Object.fromEntries(Object.entries(paths).sort(([one], [other]) => one.localeCompare(other)));
  return {
    openapi: '3.1.0',
    info: { title: 'The Range', version: '1' },
    paths: sorted,
    components: { securitySchemes },
  };
}

export function apiDocumentRoutes({ idOf }: Pick<Services, 'idOf'>): Routes {
  return { 'GET /openapi.json': () => json(apiDocument(idOf)) };
}
