import { exampleOf, isRecord, type Schema } from '../../inventory/example-value.ts';
import { type InventoryItem, type Method, methods, type Parameter } from '../../inventory/inventory.ts';
import { isXmlDocument } from '../../inventory/xml-leaves.ts';
import { draftOf } from '../../requests/draft.ts';
import { OF_SESSIONS } from './described-body.ts';
import { basesOf, type Description } from './description.ts';

const MOST_OPERATIONS = 1_000;

export const isOpenApi = (value: unknown): value is Schema =>
  isRecord(value) && (typeof value.openapi === 'string' || typeof value.swagger === 'string') && isRecord(value.paths);

/**
 * OpenAPI 3 and Swagger 2. Returns undefined for other documents. References to other documents are not followed: see
 * `bundleReferences`.
 */
export function describeOpenApi(document: unknown, documentUrl: string): Description | undefined {
  if (!isOpenApi(document)) return undefined;
  return {
    format: 'openapi',
    bases: basesOf(serversOf(document), documentUrl),
    requestsAt: (base) => requestsOf(document, base),
  };
}

function requestsOf(document: Schema, base: string): InventoryItem[] {
  const resolve = resolverOf(document);
  const items: InventoryItem[] = [];
  for (const [path, written] of Object.entries(resolve(document.paths))) {
    const operations = resolve(written);
    for (const method of methods) {
      const told = operations[method.toLowerCase()];
      const operation = resolve(told);
      if (!isRecord(told) || items.length >= MOST_OPERATIONS) continue;
      const parameters = [...listOf(operations.parameters), ...listOf(operation.parameters)];
      const consumes = operation.consumes ?? document.consumes;
      const item = itemOf(
        method,
        `${base}/${path.replace(/^\/+/, '')}`,
        { ...operation, parameters, consumes },
        resolve,
      );
      if (item) items.push(item);
    }
  }
  return items;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, 100) : []);
const MOST_HOPS = 10;

/** Resolves only references within the document: others could lead to any host. */
function resolverOf(document: Schema): (schema: unknown) => Schema {
  return (schema) => {
    let value = schema;
    for (let hop = 0; hop < MOST_HOPS && isRecord(value) && typeof value.$ref === 'string'; hop++) {
      const names = value.$ref.startsWith('#/') ? value.$ref.slice(2).split('/') : [''];
      value = names
        .map((name) => decode(name).replaceAll('~1', '/').replaceAll('~0', '~'))
        .reduce<unknown>(
          (place, name) => (isRecord(place) && Object.hasOwn(place, name) ? place[name] : undefined),
          document,
        );
    }
    return isRecord(value) ? value : {};
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the base URLs that the document names, with the defaults of their variables. */
function serversOf({ servers, basePath, host, schemes }: Schema): string[] {
  const told = listOf(servers).flatMap((server) => {
    if (!isRecord(server) || typeof server.url !== 'string') return [];
    const variables = isRecord(server.variables) ? server.variables : {};
    return [server.url.replace(/\{([^{}]{0,100})\}/g, (_, name: string) => defaultOf(variables[name]))];
  });
  const path = typeof basePath === 'string' ? `/${basePath.replace(/^\/+/, '')}` : '';
  const isNamed = typeof host === 'string' && /^[\w.:-]+$/.test(host);
  const [scheme = 'https'] = listOf(schemes).filter((each) => each === 'http' || each === 'https');
  return [...told, ...(isNamed ? [`${scheme}://${host}${path}`] : path === '' ? [] : [path])];
}

function defaultOf(variable: unknown): string {
  const { default: usual, enum: choices } = isRecord(variable) ? variable : {};
  return String(usual ?? (Array.isArray(choices) ? choices[0] : undefined) ?? 'v1');
}

const textsOf = (values: readonly unknown[]) => values.map((each) => (typeof each === 'string' ? each : ''));

type Pairs = [name: string, value: string][];

function itemOf(method: Method, url: string, operation: Schema, resolve: (schema: unknown) => Schema) {
  const parameters = listOf(operation.parameters).map(resolve);
  const pairsIn = (place: string): Pairs => {
    const own = parameters.filter((each) => each.in === place);
    return [...new Map(own.map((each) => [String(each.name), textOf(each, resolve)]))];
  };
  const others = (['header', 'cookie'] as const).flatMap((location) =>
    pairsIn(location)
      .filter(([name]) => !OF_SESSIONS.test(name))
      .map(([name, value]): Parameter => ({ location, name, value })),
  );
  const ofBody = parameters.find((each) => each.in === 'body');
  const consumes = listOf(operation.consumes).join(' ');
  const files = parameters.filter((each) => each.in === 'formData' && each.type === 'file').map(({ name }) => name);
  const { others: ofFiles = [], ...body } = requestBodyOf(operation, resolve);
  return draftOf({
    method,
    url,
    source: 'openapi',
    words: {
      names: textsOf([operation.operationId]),
      prose: textsOf([operation.summary, operation.description]),
    },
    values: Object.fromEntries(pairsIn('path')),
    query: pairsIn('query'),
    others: [...others, ...ofFiles, ...files.map((name) => fileNamed(String(name)))],
    form: pairsIn('formData'),
    isMultipart: /multipart/i.test(consumes) || files.length > 0,
    ...(ofBody && bodyOfParameter(ofBody, consumes, resolve)),
    ...body,
  });
}

const fileNamed = (name: string): Parameter => ({ location: 'fileName', name, value: 'test.txt' });

/** Returns the first of named examples, as media types and parameters have them. */
function namedExample(examples: unknown, resolve: (schema: unknown) => Schema): unknown {
  const [first] = isRecord(examples) ? Object.values(examples) : [];
  return resolve(first).value;
}

/** A list in a query or path is written as its first element. */
function textOf(parameter: Schema, resolve: (schema: unknown) => Schema): string {
  const [media] = isRecord(parameter.content) ? Object.values(parameter.content) : [];
  const { schema = parameter.schema, example } = resolve(media);
  const told = parameter.example ?? example ?? namedExample(parameter.examples, resolve);
  const value = told ?? exampleOf(schema ?? { ...parameter, in: undefined }, resolve);
  const one = Array.isArray(value) && media === undefined ? value[0] : value;
  return typeof one === 'object' ? JSON.stringify(one) : String(one);
}

interface DescribedBody {
  json?: unknown;
  body?: { type: string; text: string };
  form?: Pairs;
  isMultipart?: boolean;
  others?: Parameter[];
}

/** Swagger 2: the body is a parameter. Vendor extensions hold its examples. */
function bodyOfParameter(parameter: Schema, consumes: string, resolve: (schema: unknown) => Schema): DescribedBody {
  const { schema, 'x-example': example, 'x-examples': examples } = parameter;
  const [first] = isRecord(examples) ? Object.values(examples) : [];
  const value = example ?? first ?? exampleOf(schema, resolve);
  const type = consumes.split(' ').find((each) => /xml/i.test(each)) ?? '';
  return xmlIn(value, type) ?? { json: value };
}

/** Returns the body if the example is an XML document, whatever its declared type: text, or any. */
function xmlIn(value: unknown, type: string): DescribedBody | undefined {
  if (typeof value !== 'string' || !isXmlDocument(value)) return undefined;
  return { body: { type: /xml/i.test(type) ? type : 'application/xml', text: value } };
}

/** OpenAPI 3: uses the preferred content type among those that we can write. */
function requestBodyOf({ requestBody }: Schema, resolve: (schema: unknown) => Schema): DescribedBody {
  const { content } = resolve(requestBody);
  if (!isRecord(content)) return {};
  const types = Object.keys(content);
  const kinds = [/json|^\*\/\*$/i, /form/i, /xml/i, /./];
  const type = kinds.map((kind) => types.find((each) => kind.test(each))).find(Boolean);
  const { schema, example, examples } = resolve(type === undefined ? undefined : content[type]);
  const value = example ?? namedExample(examples, resolve) ?? exampleOf(schema, resolve);
  if (type === undefined) return {};
  if (/json/i.test(type)) return { json: value };
  const xml = xmlIn(value, type);
  if (xml) return xml;
  if (/^\*\/\*$/.test(type)) return { json: value };
  // XML bodies need an example: how a schema maps to XML cannot be derived.
  if (/xml/i.test(type)) return typeof value === 'string' && value !== '' ? { body: { type, text: value } } : {};
  if (!/form/i.test(type)) return {};
  const form = isRecord(value)
    ? Object.entries(value).map(([name, each]): [string, string] => [name, String(each)])
    : [];
  const isMultipart = /multipart/i.test(type);
  return { form, isMultipart, others: isMultipart ? filesOf(schema, resolve) : [] };
}

function filesOf(schema: unknown, resolve: (schema: unknown) => Schema): Parameter[] {
  const { properties } = resolve(schema);
  const isFile = ({ format, items, contentMediaType }: Schema): boolean =>
    format === 'binary' || contentMediaType !== undefined || (items !== undefined && isFile(resolve(items)));
  const own = isRecord(properties) ? Object.entries(properties).slice(0, 100) : [];
  return own.filter(([, each]) => isFile(resolve(each))).map(([name]) => fileNamed(name));
}
