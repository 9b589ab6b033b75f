import { isDeepStrictEqual } from 'node:util';
import type { Content, Header, OpenApiDocument, Operation, Parameter, ResponseObject } from './openapi-document.ts';
import { type SchemaPair, schemaChanges } from './schema-changes.ts';
import { resolve } from './schema-shape.ts';

interface OperationPair {
  where: string;
  before: Operation;
  after: Operation;
  documents: SchemaPair['documents'];
}

/** Returns the changes that break a client written for `before`, as the compatibility promise of /v1 defines them. */
export function breakingChanges(before: OpenApiDocument, after: OpenApiDocument): string[] {
  const changes: string[] = [];
  for (const [path, methods] of Object.entries(before.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const where = `${method.toUpperCase()} ${path}`;
      const next = after.paths[path]?.[method as keyof typeof methods];
      if (next === undefined) changes.push(`${where}: endpoint removed`);
      else changes.push(...operationChanges({ where, before: operation, after: next, documents: { before, after } }));
    }
  }
  return changes;
}

function* operationChanges(pair: OperationPair): Generator<string> {
  yield* permissionChanges(pair);
  yield* parameterChanges(pair);
  yield* bodyChanges(pair);
  yield* answerChanges(pair);
}

function* permissionChanges({ where, before, after }: OperationPair): Generator<string> {
  const show = ({ security }: Operation) => security.flatMap((scheme) => Object.values(scheme).flat()).join(', ');
  if (isDeepStrictEqual(before.security, after.security)) return;
  yield `${where}: permission changed from ${show(before)} to ${show(after)}`;
}

function parametersOf(operation: Operation, document: OpenApiDocument): Map<string, Parameter> {
  const parameters = (operation.parameters ?? []).map((parameter) => resolve<Parameter>(parameter, document));
  // Header names are case-insensitive.
  const nameOf = (parameter: Parameter) => (parameter.in === 'header' ? parameter.name.toLowerCase() : parameter.name);
  return new Map(parameters.map((parameter) => [`${parameter.in} ${nameOf(parameter)}`, parameter]));
}

function* parameterChanges({ where, before, after, documents }: OperationPair): Generator<string> {
  const old = parametersOf(before, documents.before);
  const now = parametersOf(after, documents.after);
  for (const [key, parameter] of old) {
    const place = `${where} ${parameter.in} ${parameter.name}`;
    const next = now.get(key);
    if (next === undefined) {
      yield `${place}: parameter removed`;
      continue;
    }
    if (next.required && !parameter.required) yield `${place}: became required`;
    if (next.style !== parameter.style || next.explode !== parameter.explode) yield `${place}: serialization changed`;
    yield* schemaChanges({
      where: place,
      direction: 'request',
      before: parameter.schema,
      after: next.schema,
      documents,
    });
  }
  for (const [key, parameter] of now) {
    if (parameter.required && !old.has(key)) yield `${where} ${parameter.in} ${parameter.name}: new required parameter`;
  }
}

function* bodyChanges({ where, before, after, documents }: OperationPair): Generator<string> {
  const place = `${where} body`;
  const old = before.requestBody;
  const now = after.requestBody;
  if (now?.required && !old?.required) yield `${place}: became required`;
  if (old === undefined) return;
  if (now === undefined) yield `${place}: body removed`;
  else
    yield* contentChanges({ where: place, direction: 'request', before: old.content, after: now.content, documents });
}

type ContentPair = Omit<SchemaPair, 'before' | 'after'> & { before: Content; after: Content };

function* contentChanges({ before, after, ...place }: ContentPair): Generator<string> {
  for (const [mediaType, { schema }] of Object.entries(before)) {
    const next = after[mediaType];
    if (next === undefined) yield `${place.where}: ${mediaType} removed`;
    else yield* schemaChanges({ ...place, before: schema, after: next.schema });
  }
}

function* answerChanges({ where, before, after, documents }: OperationPair): Generator<string> {
  for (const status of Object.keys(after.responses)) {
    if (before.responses[status] === undefined) yield `${where}: status ${status} added`;
  }
  for (const [status, answer] of Object.entries(before.responses)) {
    const next = after.responses[status];
    if (next === undefined) {
      yield `${where}: status ${status} removed`;
      continue;
    }
    const place = { where: `${where} ${status}`, direction: 'answer', documents } as const;
    yield* headerChanges({ ...place, before: answer, after: next });
    yield* contentChanges({ ...place, before: answer.content ?? {}, after: next.content ?? {} });
  }
}

type AnswerPair = Omit<SchemaPair, 'before' | 'after'> & { before: ResponseObject; after: ResponseObject };

function* headerChanges({ before, after, ...place }: AnswerPair): Generator<string> {
  for (const [name, reference] of Object.entries(before.headers ?? {})) {
    const where = `${place.where} header ${name}`;
    const next = after.headers?.[name];
    if (next === undefined) {
      yield `${where}: header removed`;
      continue;
    }
    const old = resolve<Header>(reference, place.documents.before);
    const now = resolve<Header>(next, place.documents.after);
    if (old.required && !now.required) yield `${where}: can be missing now`;
    yield* schemaChanges({ ...place, where, before: old.schema, after: now.schema });
  }
}
