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
    `/** What each endpoint returns. */\nexport interface Answers {\n${operations.map(answerText).join('')}}\n`,
    `/** The body that an endpoint takes. */\nexport interface Bodies {\n${operations.map(bodyText).join('')}}\n`,
    `/** The query parameters of each endpoint. */\nexport interface Queries {\n${operations.map(queryText).join('')}}\n`,
  ].join('\n');
}

const constant = (comment: string, name: string, type: string, value: unknown) =>
  `/** ${comment} */\nexport const ${name}: ${type} = ${JSON.stringify(value, null, 2)};\n`;

/**
 * Returns the source of the published `contract.ts`: the same exports, without the contract package and its schemas.
 */
export function contractText(): string {
  return `${typesText()}
/** The endpoints of the API. */
export type EndpointName = keyof Answers;

/** How an endpoint is called. */
export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly idempotent: boolean;
  /** The allowed values of each query parameter that takes a list, as they are written in the URL. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
}

${constant('The route of each endpoint.', 'routes', 'Record<EndpointName, Route>', routes)}
${constant('All severities, worst first.', 'severities', 'readonly Severity[]', severities)}
${constant('All degrees of confidence, surest first.', 'confidences', 'readonly Confidence[]', confidences)}
${constant(
  'All statuses of a pentest in the order of a run. The last two occur on dashboard runs only; new ones may be added.',
  'pentestStatuses',
  'readonly PentestStatus[]',
  pentestStatuses,
)}
/** The code of an error that the API returned. */
export type ErrorCode = ${errorCodes.map((code) => JSON.stringify(code)).join(' | ')};

${constant('All error codes. Expect new ones.', 'errorCodes', 'readonly ErrorCode[]', errorCodes)}
/** A valid \`Idempotency-Key\`: 1 to 255 visible ASCII characters without spaces. */
export const idempotencyKeyPattern = ${idempotencyKeyPattern};
`;
}
