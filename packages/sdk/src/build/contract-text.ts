import { buildOpenApi, type OpenApiDocument } from '@sortie/contract';
import { confidences, errorCodes, idempotencyKeyPattern, pentestStatuses, routes, severities } from '../contract.ts';
import { declarationText, type JsonSchema, typeText } from './type-text.ts';

type Operation = NonNullable<OpenApiDocument['paths'][string]['get']>;

const contentOf = (described: { content?: Record<string, { schema: JsonSchema }> } | undefined) =>
  described?.content?.['application/json']?.schema;

function answerText({ operationId, responses }: Operation): string {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const schema = contentOf(success);
  if (!schema) throw new Error(`${operationId} has no answer`);
  return `${operationId}: ${typeText(schema)};\n`;
}

function bodyText({ operationId, requestBody }: Operation): string {
  const schema = contentOf(requestBody);
  return schema ? `${operationId}: ${typeText(schema)};\n` : '';
}

/** Query parameters that are timestamps accept a Date. */
const parameterText = (schema: JsonSchema) =>
  JSON.stringify(schema).includes('"date-time"') ? 'Date' : typeText(schema);

function queryText({ operationId, parameters = [] }: Operation): string {
  const fields = parameters.flatMap((parameter) =>
    'name' in parameter && parameter.in === 'query'
      ? [`/** ${parameter.description} */\n${parameter.name}?: ${parameterText(parameter.schema)} | undefined;\n`]
      : [],
  );
  return `${operationId}: {\n${fields.join('')}};\n`;
}

function typesText(): string {
  const { paths, components } = buildOpenApi();
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  // The SDK publishes its own error class instead of this schema.
  const { Error: _errorObject, ...schemas } = components.schemas;
  return [
    ...Object.entries(schemas).map(([name, schema]) => declarationText(name, schema)),
    `export interface Answers {\n${operations.map(answerText).join('')}}\n`,
    `export interface Bodies {\n${operations.map(bodyText).join('')}}\n`,
    `export interface Queries {\n${operations.map(queryText).join('')}}\n`,
  ].join('\n');
}

const constant = (name: string, type: string, value: unknown) =>
  `export const ${name}: ${type} = ${JSON.stringify(value, null, 2)};`;

/**
 * Returns the source of the published `contract.ts`: the same exports, without the contract package and its schemas.
 */
export function contractText(): string {
  return `${typesText()}
export type EndpointName = keyof Answers;

export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly idempotent: boolean;
  readonly lists: Readonly<Record<string, readonly string[]>>;
}

${constant('routes', 'Record<EndpointName, Route>', routes)}

${constant('severities', 'readonly Severity[]', severities)}
${constant('confidences', 'readonly Confidence[]', confidences)}
${constant('pentestStatuses', 'readonly PentestStatus[]', pentestStatuses)}

export type ErrorCode = ${errorCodes.map((code) => JSON.stringify(code)).join(' | ')};
${constant('errorCodes', 'readonly ErrorCode[]', errorCodes)}

export const idempotencyKeyPattern = ${idempotencyKeyPattern};
`;
}
