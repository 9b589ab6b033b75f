import type { Endpoint } from './endpoint.ts';
import { type EndpointName, errorCodesOf } from './endpoints.ts';
import { type ErrorCode, ErrorObject, errors } from './errors.ts';
import { answerExamples, errorExample } from './examples/examples.ts';
import type { Header, Reference, ResponseObject } from './openapi-document.ts';
import type { SchemaCollection } from './openapi-schemas.ts';

export const answerHeaders = {
  'RateLimit-Limit': {
    required: true,
    description: 'Requests per window of the limit that the caller is closest to.',
    schema: { type: 'integer', minimum: 1 },
  },
  'RateLimit-Remaining': {
    required: true,
    description: 'Requests left in the current window of that limit.',
    schema: { type: 'integer', minimum: 0 },
  },
  'RateLimit-Reset': {
    required: true,
    description: 'Seconds until that window resets.',
    schema: { type: 'integer', minimum: 1 },
  },
  'Retry-After': {
    description: 'Seconds to wait before a retry.',
    schema: { type: 'integer', minimum: 1 },
  },
  'X-Request-Id': {
    description: 'Id of this request in the service logs: quote it in support requests.',
    schema: { type: 'string' },
  },
  Location: {
    description: 'The path of the started run, to poll.',
    schema: { type: 'string' },
  },
  'Idempotent-Replayed': {
    description:
      'Present when this response replays that of an earlier request with the same key and body: nothing was started.',
    schema: { type: 'string', enum: ['true'] },
  },
} satisfies Record<string, Header>;

type HeaderName = keyof typeof answerHeaders;

const everyAnswer: HeaderName[] = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'X-Request-Id'];

function headersOf(names: HeaderName[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Optional, because the network edge also returns 429, without `RateLimit-*` headers. */
function optionalHeadersOf(names: HeaderName[]): Record<string, Header> {
  return Object.fromEntries(names.map((name) => [name, { ...answerHeaders[name], required: false }]));
}

const edgeRefusal =
  'Request floods from one IP address are rejected by the network edge, without a body and `RateLimit-*` headers. ' +
  'Treat it like any other 429.';

function describeErrorAnswer(
  status: number,
  codes: ErrorCode[],
  { endpoint, schemas }: { endpoint: Endpoint; schemas: SchemaCollection },
): ResponseObject {
  const meanings = codes.map((code) => `- \`${code}\`: ${errors[code].message}`).join('\n');
  const names: HeaderName[] = status === 409 || status === 429 ? [...everyAnswer, 'Retry-After'] : everyAnswer;
  return {
    description: status === 429 ? `${meanings}\n\n${edgeRefusal}` : meanings,
    headers: status === 429 ? optionalHeadersOf(names) : headersOf(names),
    content: {
      'application/json': {
        schema: {
          allOf: [
            schemas.describe(ErrorObject, 'output'),
            { type: 'object', properties: { code: { enum: codes }, statusCode: { const: status } } },
          ],
        },
        examples: Object.fromEntries(codes.map((code) => [code, { value: errorExample(code, endpoint) }])),
      },
    },
  };
}

function describeSuccess(
  name: EndpointName,
  { answer, idempotent }: Endpoint,
  schemas: SchemaCollection,
): ResponseObject {
  const schema = schemas.describe(answer.schema, 'output');
  return {
    description: answer.status === 201 ? 'Started.' : 'Success.',
    headers: headersOf(idempotent ? [...everyAnswer, 'Location', 'Idempotent-Replayed'] : everyAnswer),
    content: { 'application/json': { schema, example: answerExamples[name] } },
  };
}

const lengthRequired: ResponseObject = {
  description: 'The request has no `Content-Length`. Sent by the network edge, without a body.',
};

export function describeAnswers(
  name: EndpointName,
  endpoint: Endpoint,
  schemas: SchemaCollection,
): Record<string, ResponseObject> {
  const answers: Record<string, ResponseObject> = {
    [endpoint.answer.status]: describeSuccess(name, endpoint, schemas),
  };
  const byStatus = Map.groupBy(errorCodesOf(endpoint), (code) => errors[code].status);
  for (const [status, codes] of byStatus) {
    answers[status] = describeErrorAnswer(status, codes, { endpoint, schemas });
  }
  if (endpoint.body === 'empty') answers[411] = lengthRequired;
  return answers;
}
