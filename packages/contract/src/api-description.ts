import { z } from 'zod';

/** Formats of API descriptions; `OPENAPI` includes Swagger 2. */
export const apiDescriptionKinds = ['OPENAPI', 'POSTMAN', 'HAR', 'WSDL', 'GRAPHQL'] as const;
/** The format of an API description; `OPENAPI` includes Swagger 2. */
export type ApiDescriptionKind = (typeof apiDescriptionKinds)[number];

/** Largest `apiDescription` of a start, in bytes of UTF-8. */
export const MAX_API_DESCRIPTION_BYTES = 128 * 1024;

/** What to send instead of a text without a known format. */
export const API_DESCRIPTION_RULE =
  'must be an OpenAPI or Swagger document (JSON or YAML), a Postman collection, a HAR file, a WSDL document or a GraphQL schema';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const OPENAPI_YAML = /^(?:"openapi"|'openapi'|openapi|"swagger"|'swagger'|swagger)[ \t]{0,9}:[ \t]{0,9}["']?[1-9]/m;
/** The root element of WSDL 1.1, after an XML declaration and comments. */
const WSDL = /<(?:[\w.-]{1,40}:)?definitions\s[^>]{0,4000}http:\/\/schemas\.xmlsoap\.org\/wsdl\//;
const MOST_BEFORE_ROOT = 10_000;
const GRAPHQL_TYPE =
  /^(?:extend[ \t]{1,9})?(?:schema|(?:type|interface|input|enum)[ \t]{1,9}[A-Za-z_]\w{0,200})(?:[ \t]{1,9}(?:implements\b|@)[^{}]{0,500})?\s{0,9}\{/m;

/**
 * Recognizes the format of an API description by its outer structure; undefined if it has none that the service reads.
 * A recognized document may still be malformed.
 */
export function apiDescriptionKind(given: string): ApiDescriptionKind | undefined {
  const text = given.replace(/^\uFEFF/, '').trimStart();
  if (text.startsWith('{')) return kindOfJson(text);
  // HTML pages and other XML can contain lines that look like a GraphQL type.
  if (text.startsWith('<')) return WSDL.test(text.slice(0, MOST_BEFORE_ROOT)) ? 'WSDL' : undefined;
  if (OPENAPI_YAML.test(text)) return 'OPENAPI';
  return GRAPHQL_TYPE.test(text) ? 'GRAPHQL' : undefined;
}

function kindOfJson(text: string): ApiDescriptionKind | undefined {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(document)) return undefined;
  const { openapi, swagger, info, item, log, data } = document;
  if (typeof openapi === 'string' || typeof swagger === 'string') return 'OPENAPI';
  if (isRecord(info) && Array.isArray(item)) return 'POSTMAN';
  if (isRecord(log) && Array.isArray(log.entries)) return 'HAR';
  return isRecord(document.__schema) || (isRecord(data) && isRecord(data.__schema)) ? 'GRAPHQL' : undefined;
}

export const ApiDescription = z
  .string()
  .min(1)
  .superRefine((text, context) => {
    const isTooLarge = new TextEncoder().encode(text).length > MAX_API_DESCRIPTION_BYTES;
    const message = isTooLarge ? 'must have at most 128 KiB' : API_DESCRIPTION_RULE;
    const isRefused = isTooLarge || apiDescriptionKind(text) === undefined;
    if (isRefused && text !== '') context.addIssue({ code: 'custom', message });
  })
  // No text within the limit has more characters than bytes.
  .meta({ maxLength: MAX_API_DESCRIPTION_BYTES });
