import { type DocumentNode, Kind, type OperationDefinitionNode, parse, print, type TypeNode } from 'graphql';
import { rootFieldsOf } from '../effect/judge-document.ts';
import { isRecord } from '../inventory/example-value.ts';
import type { InventoryItem } from '../inventory/inventory.ts';
import { graphqlItem } from './read-graphql.ts';

const MOST_TOKENS = 2_000;
const MOST_CHARACTERS = 20_000;

/** Returns the request for a GraphQL document that was written for an application; undefined if it is invalid. */
export function graphqlItemOf(text: string, url: string, variables = ''): InventoryItem | undefined {
  const document = documentOf(text);
  const operation = document?.definitions.find((each) => each.kind === Kind.OPERATION_DEFINITION);
  if (!document || !operation || operation.operation === 'subscription' || !URL.canParse(url)) return undefined;
  const given = parsed(variables);
  const query = print(document);
  const roots = rootFieldsOf(query);
  const names = roots?.names ?? [];
  const isChange = operation.operation === 'mutation';
  // Named by its fields, as operations from a schema are: what a mutation does is told by all of them.
  const name = (isChange ? names.join('/') : names[0]) || (operation.name?.value ?? '');
  const values = { ...valuesOf(operation), ...given };
  return graphqlItem({ kind: operation.operation, name, query, variables: values, url });
}

function documentOf(text: string): DocumentNode | undefined {
  try {
    return text.length > MOST_CHARACTERS ? undefined : parse(text, { maxTokens: MOST_TOKENS, noLocation: true });
  } catch {
    return undefined;
  }
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

const SCALARS: Readonly<Record<string, unknown>> = { Int: 1, Float: 1, Boolean: true, ID: '1' };

function valuesOf({ variableDefinitions = [] }: OperationDefinitionNode): Record<string, unknown> {
  return Object.fromEntries(variableDefinitions.map(({ variable, type }) => [variable.name.value, exampleOf(type)]));
}

/** The fields of input objects are unknown without the schema. */
function exampleOf(type: TypeNode): unknown {
  if (type.kind === Kind.NON_NULL_TYPE) return exampleOf(type.type);
  if (type.kind === Kind.LIST_TYPE) return [exampleOf(type.type)];
  const { value } = type.name;
  return SCALARS[value] ?? (/Input$/.test(value) ? {} : 'test');
}

const START = /\b(?:query|mutation)\b\s{0,9}\w{0,100}\s{0,9}(?:\([^(){}`]{0,2000}\)\s{0,9})?\{/g;
const FRAGMENT = /\bfragment\s+(\w{1,100})\s+on\s+\w{1,100}\s{0,9}\{/g;
const MOST_OPERATIONS = 100;
const LONGEST = 5_000;

/** Returns the GraphQL documents that a script contains as text, each with the fragments that it uses. */
export function operationsIn(script: string): string[] {
  if (!/\b(?:query|mutation)\b[^;]{0,300}\{/.test(script)) return [];
  const text = script.replace(/\\n/g, '\n').replace(/\\(["'`])/g, '$1');
  const fragments = new Map(
    [...text.matchAll(FRAGMENT)].slice(0, MOST_OPERATIONS).map((found) => [found[1] ?? '', blockAt(text, found)]),
  );
  const operations = [...text.matchAll(START)].slice(0, MOST_OPERATIONS * 5).map((found) => blockAt(text, found));
  const documents = operations.filter((each) => each !== '').map((each) => withFragments(each, fragments));
  return [...new Set(documents.filter((each) => documentOf(each) !== undefined))].slice(0, MOST_OPERATIONS);
}

/** Returns the text up to the brace that closes the match, without what scripts insert. */
function blockAt(text: string, { index, 0: start }: RegExpExecArray): string {
  const part = text.slice(index, index + LONGEST).replace(/\$\{[^{}]{0,200}\}/g, ' ');
  let depth = 1;
  for (let at = start.length; at < part.length; at++) {
    if (part[at] === '{') depth++;
    else if (part[at] === '}' && --depth === 0) return part.slice(0, at + 1);
  }
  return '';
}

function withFragments(operation: string, fragments: ReadonlyMap<string, string>): string {
  const used = new Set<string>();
  const waiting = [operation];
  for (let next = waiting.pop(); next !== undefined && used.size < 20; next = waiting.pop()) {
    for (const [, name = ''] of next.matchAll(/\.\.\.\s{0,9}(\w{1,100})/g)) {
      const fragment = fragments.get(name);
      if (fragment === undefined || used.has(name)) continue;
      used.add(name);
      waiting.push(fragment);
    }
  }
  return [operation, ...[...used].map((name) => fragments.get(name) ?? '')].join('\n');
}
