import type { IncomingMessage } from 'node:http';
import { type Endpoint, idempotencyKeyPattern, isListQuery } from '@sortie/contract';
import { z } from 'zod';
import { AppError } from '../errors/app-error.ts';
import { describeIssue } from './describe-issue.ts';
import { singleHeader } from './single-header.ts';
import { joinPath, parseStrictJson } from './strict-json.ts';

function refuse(field: string, message: string): AppError {
  return new AppError('VALIDATION_ERROR', { field, message });
}

/** With `reportInput`, an issue distinguishes a missing member from one with a wrong value. */
const parsing = { error: describeIssue, reportInput: true };

function toRefusal(error: z.ZodError, whole: string): AppError {
  const issue = error.issues[0];
  if (!issue) return refuse(whole, 'The value is invalid.');
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path;
  const field = joinPath(path) || whole;
  if (issue.code === 'unrecognized_keys') return refuse(field, 'Unknown member.');
  if (issue.input === undefined) return refuse(field, `${field} is required`);
  return refuse(field, `${field}: ${issue.message}`);
}

const hasBody = (request: IncomingMessage) =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

/** Checks the declared media type before the body is read. */
export function validateContentType(endpoint: Endpoint, request: IncomingMessage): void {
  if (typeof endpoint.body === 'string' || !hasBody(request)) return;
  const mediaType = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') {
    throw refuse('Content-Type', 'Send the body as Content-Type: application/json.');
  }
}

/** These ids are only looked up, never stored, so they need no format check: an unknown one is simply not found. */
const ids = ['verificationId'];

/** Returns the JSON body; undefined for an endpoint without one. Throws VALIDATION_ERROR for anything else. */
export function parseBody(endpoint: Endpoint, bytes: Uint8Array | undefined): unknown {
  const isEmpty = bytes === undefined || bytes.length === 0;
  if (endpoint.body === 'none') return undefined;
  if (endpoint.body === 'empty') {
    if (!isEmpty) throw refuse('body', 'This request takes no body.');
    return undefined;
  }
  if (isEmpty) throw refuse('body', 'Send a JSON body.');
  return parseStrictJson(bytes, ids);
}

export const IDEMPOTENCY_KEY_RULE = 'Send one Idempotency-Key header of 1 to 255 visible characters without spaces.';

/** Returns the `Idempotency-Key` of a start. Throws VALIDATION_ERROR if it is missing or malformed. */
export function validateIdempotencyKey(endpoint: Endpoint, request: IncomingMessage): string | undefined {
  if (!endpoint.idempotent) return undefined;
  const key = singleHeader(request, 'idempotency-key');
  if (key === undefined || !idempotencyKeyPattern.test(key)) {
    throw refuse('Idempotency-Key', IDEMPOTENCY_KEY_RULE);
  }
  return key;
}

const querySchemas = new WeakMap<z.ZodRawShape, z.ZodObject>();

/** Returns the query as the endpoint's schema reads it. Throws VALIDATION_ERROR with the wrong field. */
export function validateQuery(endpoint: Endpoint, url: string): Record<string, unknown> {
  if (Object.keys(endpoint.query).length === 0) return {};
  const sent = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')) : '');
  const values: Record<string, string> = {};
  for (const [name, parameter] of Object.entries(endpoint.query)) {
    const all = sent.getAll(name);
    if (all.length > 1 && !isListQuery(parameter as z.ZodType)) throw refuse(name, `${name}: send it once.`);
    if (all.some((value) => value.includes('\0'))) throw refuse(name, `${name}: must not contain a NUL character.`);
    if (all.length > 0) values[name] = all.join(',');
  }
  const schema = querySchemas.get(endpoint.query) ?? z.object(endpoint.query);
  querySchemas.set(endpoint.query, schema);
  const result = schema.safeParse(values, parsing);
  if (!result.success) throw toRefusal(result.error, 'query');
  return result.data;
}

/** Returns the body as the endpoint's schema reads it. Throws VALIDATION_ERROR with the wrong field. */
export function validateBody(endpoint: Endpoint, body: unknown): unknown {
  if (typeof endpoint.body === 'string') return undefined;
  const result = endpoint.body.safeParse(body, parsing);
  if (!result.success) throw toRefusal(result.error, 'body');
  return result.data;
}
